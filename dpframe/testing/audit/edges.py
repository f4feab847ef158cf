"""What is certified of every private value of a plan, not of those alone that a mechanism reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from dpframe.kernel.operations import Exact
from dpframe.proof.checker import Checked
from dpframe.proof.checker.edges import Typed, check_graph
from dpframe.proof.checker.pricing import Place, Pricing
from dpframe.proof.checker.reading import Step, read
from dpframe.proof.losses import Loss
from dpframe.proof.spaces import adjacency_from_json
from dpframe.proof.spaces.documents import parse_json
from dpframe.proof.theorems import Metrics
from dpframe.proof.typed import Path, Ref
from dpframe.testing.battery import metrics


@attrs.define
class Noting(Pricing):
    """The checker's pricing, which keeps how far apart neighbours' values may be at each node."""

    seen: dict[Path, list[Metrics]] = attrs.Factory(dict)

    def _step(self, typed: Typed, place: Place, step: Step, private: list[Ref], metrics: dict[Ref, Metrics]) -> Loss:
        loss = super()._step(typed, place, step, private, metrics)
        made = metrics.get(Ref(step.name))
        known = self.seen.setdefault((*place.path, step.name), [])
        if made is not None and made not in known:
            known.append(made)
        return loss


def certified(checked: Checked) -> dict[Path, list[Metrics]]:
    """All metrics that neighbours can meet at each node that makes a private value, from its theorem."""
    document = read(parse_json(checked.content))
    adjacency = adjacency_from_json(document.adjacency)
    noting = Noting()
    noting.total(check_graph(document.net, adjacency), adjacency)
    return noting.seen


Key = tuple[Path, Path]


def too_far(first: Mapping[Key, Any], second: Mapping[Key, Any], checked: Checked) -> list[str]:
    """Values of the two tables that are further apart than is certified, a line each."""
    keys = [key for key in first if key in second]
    met = certified(checked) if keys else {}
    return [
        f"{'/'.join(key[0])!r}: {said}" for key in keys if (said := _said(first[key], second[key], met.get(key[0])))
    ]


def _said(one: Any, other: Any, met: list[Metrics] | None) -> str:
    if not isinstance(one, Exact) or not isinstance(other, Exact) or not met:
        return ""
    if one.step != other.step:
        return "the lattice depends on the rows"
    try:
        found = metrics.difference(one, other)
    except ValueError:
        return "the number of entries depends on the rows"
    ways = [metrics.excess(found, m) for m in met] if found else []
    if ways and not any(ratio <= 1 for ratio, _ in ways):
        return f"neighbours are too far apart: {min(ways)[1]}"
    return ""
