"""Standard errors of what a run released: of noise by the plan, of sampling by what was released. Costs nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeAlias

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.graphs import Typed
from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.post_processing import Post, Quality
from dpframe.kernel.reductions.control import ByCategory, Category
from dpframe.planning.predicting import Foreseen, each_number, noise_above, noise_in_units
from dpframe.planning.priced import Priced
from dpframe.proof.spaces import Kind
from dpframe.proof.typed import Path

Told: TypeAlias = Mapping[str, Mapping[str, Any]]
COUNTS = ("count", "bin_counts", "value_counts", "distance_histogram", "ball_counts")
"""Statistics that count rows."""


def uncertainty(
    plan: Priced, outputs: Mapping[str, Any], counted: float | None = None, judged: Mapping[Path, Quality] | None = None
) -> dict[str, Any]:
    """Standard errors by output, ``noise`` and ``sampling`` apart, of those outputs for which they are known.

    Of a release by itself the noise is the plan's, and counts are binomial; of a mixture or a Gaussian its node has
    a model. Sampling is that of independent rows, all of them complete, estimated from released values. Where
    the number of rows is private it is for as many as the run ``counted``, and left out where it released none.
    What nodes ``judged`` tells their models what the plan can't know: noise that released values made larger.

    Notes
    -----
    *Formal guarantees.* A function of the plan and of released values: free.
    """
    found, rows = {}, _rows(plan, counted)
    told = _told(judged or {})
    for name, ref in plan.graph.outputs:
        if name in outputs and isinstance(plan.typed.node(ref.node).operation, ByCategory):
            each = [of_category(plan, ref.node, one) for one in outputs[name]]
            found[name] = each if any(each) else None
        elif name in outputs:
            found[name] = _of(plan, rows, ref.node, outputs[name], told)
    return _known(found, outputs)


def of_category(plan: Priced, node: str, made: Category) -> dict[str, Any]:
    """Standard errors of the outputs of one category, given the released number of its rows."""
    outputs, rows = made.outputs, None if made.rows is None else max(1, round(made.rows))
    body = plan.typed.node(node).bodies["body"]
    noise = {path[2:]: made for path, made in plan.calibrations.items() if path[:2] == (node, "body")}
    seen = _Body(attrs.evolve(body, path=()), noise)
    told = _told(made.judged)
    found = {name: _of(seen, rows, ref.node, outputs.get(name), told) for name, ref in body.outputs if name in outputs}
    return _known(found, outputs)


@attrs.frozen
class _Body:
    """A body's graph and its noise, as a plan of its own."""

    typed: Typed
    calibrations: Mapping[Path, dict[str, Any]]


def _known(found: dict[str, Any], outputs: Mapping[str, Any]) -> dict[str, Any]:
    """Errors that are known, those that a program itself released among them."""
    for name, value in outputs.items():
        told = {word: outputs[f"{name}_{word}"] for word in ("noise", "sampling") if f"{name}_{word}" in outputs}
        if told and value is not None:
            found[name] = told
    return {name: errors for name, errors in found.items() if errors}


def _rows(plan: Priced, counted: float | None) -> int | None:
    """The number of rows where it is public, else what was released of it; None where slots of units are no rows."""
    if plan.adjacency.unit is not None:
        return None
    if plan.adjacency.n_is_public:
        return next((item.n for item in plan.graph.inputs if item.kind is Kind.PRIVATE), None)
    return None if counted is None else max(1, round(counted))


def _told(judged: Mapping[Path, Quality]) -> Told:
    """What nodes gave their errors to know, by name; not those in bodies, which ran more than once."""
    return {path[0]: quality.told for path, quality in judged.items() if len(path) == 1}


def _of(plan: Foreseen, rows: int | None, name: str, value: Any, told: Told) -> Any:
    nodes = {node.name: node for node in plan.typed.nodes}
    waiting, seen = [name], set()
    while waiting:
        node = nodes.get(waiting.pop(0))
        if node is None or node.name in seen:
            continue
        seen.add(node.name)
        operation = node.operation
        if isinstance(operation, Additive) and node.name == name:
            source = nodes.get(node.inputs[0].node)
            std = operation.noise_std(plan.calibrations[node.name,])
            spread = std * (math.sqrt(2.0) if isinstance(operation, LaplaceMechanism) else 1.0)
            noise = each_number(value, spread, node.output.domain)
            return _release(value, noise, rows, "" if source is None else source.operation.name)
        if not isinstance(operation, Post):
            continue
        in_units = noise_in_units(plan, name, rows, value) if node.name == name else None
        if in_units is not None:
            return {"noise": in_units}
        try:
            with np.errstate(all="ignore"):
                above = noise_above(plan, node.name, told.get(node.name))
                errors = None if rows is None else operation.standard_errors(value, rows, above)
        except (DpframeError, ArithmeticError, ValueError, np.linalg.LinAlgError):
            return None
        if errors is not None:
            return errors
        waiting += [ref.node for ref in node.inputs]
    return None


def _release(value: Any, noise: Any, rows: int | None, statistic: str) -> dict[str, Any]:
    """Standard errors of a single release; counts have a sampling error, too."""
    errors = {"noise": noise}
    if rows is not None and statistic in COUNTS:
        share = np.clip(np.asarray(value, dtype=np.float64) / rows, 0.0, 1.0)
        errors["sampling"] = np.sqrt(rows * share * (1.0 - share))
    return errors
