"""Which metrics neighbours can have at each mechanism and node, by the traversal that prices."""

from __future__ import annotations

from typing import Any

from dpframe.errors import PlanError
from dpframe.kernel.graphs import Typed
from dpframe.kernel.operations import Mechanism
from dpframe.planning.composition import Site, price
from dpframe.proof.losses import ZERO, Loss
from dpframe.proof.spaces import L1, L2, Adjacency, LInf, OneOf, OneSided, Within
from dpframe.proof.theorems import Metrics
from dpframe.proof.typed import Path


def survey(graph: Typed, adjacency: Adjacency) -> dict[Path, tuple[Site, list[Metrics]]]:
    """All mechanisms with every metric that neighbours under the adjacency can have at their input.

    Raises
    ------
    PlanError
        Also where a mechanism was never met: nothing is released that has no price.
    """
    seen: dict[Path, tuple[Site, list[Metrics]]] = {}

    def leaf(site: Site, metrics: Metrics) -> Loss:
        met = seen.setdefault(site.path, (site, []))[1]
        if metrics not in met:
            met.append(metrics)
        return ZERO

    price(graph, adjacency, leaf)
    for path in mechanisms(graph):
        if path not in seen:
            raise PlanError(
                f"node {'/'.join(path)!r} releases a value whose distance between neighbours is not known",
                fix="compute it from a private table",
            )
    return seen


def mechanisms(graph: Typed) -> list[Path]:
    """Paths of all mechanisms, those of bodies included."""
    return [path for path, node in graph.walk() if isinstance(node.operation, Mechanism)]


def node_metrics(graph: Typed, adjacency: Adjacency) -> dict[Path, Metrics]:
    """The widest metrics at the output of every node between the tables and the mechanisms."""
    met: dict[Path, list[Metrics]] = {}
    price(graph, adjacency, lambda site, metrics: ZERO, note=lambda p, _, m: met.setdefault(p, []).append(m))
    return {path: widest(metrics) for path, metrics in met.items()}


def widest(met: list[Metrics]) -> Metrics:
    """The metrics that cover all that were met, kind by kind; kinds that some lack are dropped."""
    kinds = [type(m) for m in met[0] if all(any(type(o) is type(m) for o in other) for other in met)]
    out: list[Any] = []
    for kind in kinds:
        values: list[Any] = [m for metrics in met for m in metrics if type(m) is kind]
        out.append(max(values, key=_size))
    return tuple(out)


def _size(metric: Any) -> float:
    if isinstance(metric, (L1, L2, LInf, OneSided)):
        return metric.bound
    if isinstance(metric, OneOf):
        return metric.changed
    if isinstance(metric, Within):
        return metric.r
    return float(metric.total)
