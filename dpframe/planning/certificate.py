"""The certificate: a plan's proof as plain JSON, with digests of the files of the run it belongs to.

It holds what :mod:`dpframe.proof.checker` needs to recompute everything: the typed graph, what each theorem was
told, the noise of every mechanism with its losses under each metric it can meet, the composed loss, the totals. It is
unsigned: whoever can write the three files can write three consistent ones.

Examples
--------
>>> import dpframe as dp
>>> @dp.program
... def clipped_mean(x):
...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))
>>> plan = dp.plan(clipped_mean, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE,
...                budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
>>> proof = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
>>> [node["name"] for node in proof["graph"]["nodes"]]
['ball_1', 'clip_1', 'mean_1', 'mean', 'mean.value']
>>> proof["total"]["accountant"]
'gdp'
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import attrs

from dpframe.errors import CertificateError
from dpframe.kernel.graphs import Planned, Typed, plugins
from dpframe.kernel.operations import Mechanism, Operation
from dpframe.planning.composition import price
from dpframe.planning.priced import Priced
from dpframe.planning.sealing import STATUSES, Certificate
from dpframe.planning.surveying import survey
from dpframe.proof.certificates import SCHEMA_VERSION, plain
from dpframe.proof.losses import ZERO, ApproxDP, Loss, applicable, epsilon
from dpframe.proof.spaces import Domain, Metric
from dpframe.proof.theorems import THEOREMS, Metrics
from dpframe.proof.theorems.base import PROVED
from dpframe.proof.theorems.declaring import constant_hypotheses
from dpframe.proof.typed import Edge, Input, Ref
from dpframe.version import VERSION

STATEMENT = (
    "Unsigned in itself. Its consistency can be verified from this file alone; that it belongs to a run needs the "
    "run's spec and result, whose SHA-256 digests are given. Who ran it can't be proved, but by a signature beside it."
)


def certificate(
    plan: Priced, *, spec_sha256: str | None, result_sha256: str | None, simulated: bool, status: str
) -> Certificate:
    """The proof of a plan, for the run that ended with ``status``.

    Parameters
    ----------
    plan : Priced
    spec_sha256, result_sha256 : str or None
        Lower-case hexadecimal digests of the exact bytes of the spec and the result file, see :func:`digest`.
    simulated : bool
        Whether the noise came from a seed; such a certificate never verifies.
    status : {"released", "failed"}

    Returns
    -------
    Certificate
        A dict of JSON values.

    Raises
    ------
    CertificateError
        For an unknown status or a value that is no JSON.
    """
    if status not in STATUSES:
        raise CertificateError(f"unknown status {status!r}", fix=f"use one of {', '.join(STATUSES)}")
    content = {
        "schema_version": SCHEMA_VERSION,
        "dpframe_version": VERSION,
        "statement": STATEMENT,
        "signed": False,
        "status": status,
        "simulated": simulated,
        "spec_sha256": spec_sha256,
        "result_sha256": result_sha256,
        "adjacency": plan.adjacency.to_json(),
        "budget": plan.budget.to_json(),
        "total": plan.spent,
        "accountants": _accountants(plan),
        "delta_split": dict(plan.delta_split),
        "loss": plan.loss.to_json(),
        "hypotheses": hypotheses(plan.typed),
        "warnings": list(plan.warnings),
        "graph": _Writer(plan, _met(plan), _claims(plan)).graph(plan.typed),
    }
    return Certificate(plain(content))


def describes(content: Mapping[str, Any], plan: Priced) -> bool:
    """Whether a certificate is the proof of this plan, whatever run it was made for.

    Verification can't tell whether a certificate's spec describes its graph; planning the spec again and asking
    this can, with the version that wrote it and on a like machine: every number is compared to the last bit.
    """
    made_for = ("spec_sha256", "result_sha256", "simulated", "status", "dpframe_version")
    again = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    return {k: v for k, v in content.items() if k not in made_for} == {
        k: v for k, v in again.items() if k not in made_for
    }


def hypotheses(graph: Typed) -> list[dict[str, str]]:
    """Every hypothesis the proof rests on, node by node."""
    return [
        {"node": "/".join(path), "theorem": node.operation.theorem, "hypothesis": text}
        for path, node in graph.walk()
        for text in (*_theorem(node).assumed(node.operation.parameters()), *_constants(node))
    ]


def _constants(node: Planned) -> tuple[str, ...]:
    return constant_hypotheses(node.operation.kind, plain(node.operation.parameters()), len(node.inputs))


def _theorem(node: Planned) -> Any:
    return THEOREMS[node.operation.theorem]


def _accountants(plan: Priced) -> dict[str, float]:
    """What every accountant that applies makes of the composed loss, in the terms of the budget."""
    if not isinstance(plan.budget, ApproxDP):
        key = next(k for k in ("epsilon", "rho", "mu") if k in plan.verdict.spent)
        return {plan.verdict.accountant: plan.verdict.spent[key]}
    found = {name: epsilon(plan.loss, plan.budget.delta, name) for name in applicable(plan.loss)}
    return {name: value for name, value in found.items() if value < math.inf}


def _met(plan: Priced) -> dict[tuple[str, ...], list[Metrics]]:
    """The metrics each mechanism can meet, over all kinds of edits and ways they may fall."""
    return {path: met for path, (_, met) in survey(plan.typed, plan.adjacency).items()}


def _claims(plan: Priced) -> dict[tuple[str, ...], list[tuple[tuple[Metrics, ...], Metrics]]]:
    """What plugins say of each operation that they assert, at all metrics that it can meet."""
    claimed = {path: _domains(plan.typed, path) for path, node in plan.typed.walk() if _theorem(node).claimed}
    found: dict[tuple[str, ...], list[tuple[tuple[Metrics, ...], Metrics]]] = {}

    def note(path: tuple[str, ...], inputs: tuple[Metrics, ...], made: Metrics) -> None:
        if path in claimed and all(at != inputs for at, _ in found.setdefault(path, [])):
            operation, domains = claimed[path]
            found[path].append((inputs, operation.claims(domains, inputs) or ()))

    if claimed:
        price(plan.typed, plan.adjacency, lambda site, metrics: ZERO, note=note)
    return found


def _domains(graph: Typed, path: tuple[str, ...]) -> tuple[Operation, tuple[Domain, ...]]:
    for i in range(0, len(path) - 1, 2):
        graph = graph.node(path[i]).bodies[path[i + 1]]
    node = graph.node(path[-1])
    return node.operation, tuple(graph.edges[r].domain for r in node.inputs)


@attrs.frozen
class _Writer:
    """Writes graphs, those of bodies included."""

    plan: Priced
    met: Mapping[tuple[str, ...], list[Metrics]]
    claims: Mapping[tuple[str, ...], list[tuple[tuple[Metrics, ...], Metrics]]]

    def graph(self, graph: Typed) -> dict[str, Any]:
        return {
            "inputs": [_input(item) for item in graph.inputs],
            "nodes": [self.node(node, graph) for node in graph.nodes],
            "outputs": [[name, _ref(ref)] for name, ref in graph.outputs],
        }

    def node(self, node: Planned, graph: Typed) -> dict[str, Any]:
        operation = node.operation
        out: dict[str, Any] = {
            "name": node.name,
            "operation": operation.name,
            "kind": operation.kind,
            "theorem": operation.theorem,
            "hypotheses": list(_theorem(node).assumed(operation.parameters())),
            "parameters": operation.parameters(),
            "inputs": [_ref(r) for r in node.inputs],
        }
        if _theorem(node).level != PROVED:
            out["level"] = _theorem(node).level
        if rests_on := plugins(operation):
            out["plugins"] = rests_on
        if claims := self.claims.get((*graph.path, node.name)):
            out["claims"] = [{"inputs": [_metrics(m) for m in at], "gives": _metrics(made)} for at, made in claims]
        if _theorem(node).kind != "composition":
            out["theorem_inputs"] = operation.theorem_inputs(*(graph.edges[r].domain for r in node.inputs))
        if node.parts is not None:
            out["parts"] = node.parts
        out["output"] = _edge(node.output)
        if isinstance(operation, Mechanism):
            out["mechanism"] = self.mechanism(operation, (*graph.path, node.name))
        if node.bodies:
            out["bodies"] = {label: self.graph(body) for label, body in node.bodies.items()}
        return out

    def mechanism(self, operation: Mechanism, path: tuple[str, ...]) -> dict[str, Any]:
        """Noise, and the loss under each metric it can meet and under all of them at once."""
        weighing, calibration = self.plan.weighings[path], self.plan.calibrations[path]

        def loss(metrics: Metrics) -> Any:
            result: Loss = operation.loss(calibration, metrics, weighing.site.domain)
            return result.to_json()

        return {
            "calibration": dict(calibration),
            "met": [{"metrics": _metrics(m), "loss": loss(m)} for m in self.met[path]],
            "worst": {"metrics": _metrics(weighing.worst), "loss": loss(weighing.worst)},
        }


def _ref(ref: Ref) -> list[Any]:
    return [ref.node] if ref.part is None else [ref.node, ref.part]


def _metrics(metrics: tuple[Metric, ...]) -> list[Any]:
    return [m.to_json() for m in metrics]


def _input(item: Input) -> dict[str, Any]:
    return {"name": item.name, "kind": item.kind.value, "domain": item.domain.to_json(), "n": item.n}


def _edge(edge: Edge) -> dict[str, Any]:
    return {
        "kind": edge.kind.value,
        "domain": edge.domain.to_json(),
        "lineage": [[node, part] for node, part in edge.lineage],
        "given": edge.given,
    }
