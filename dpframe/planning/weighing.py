"""From shares to noise for one factor: what each mechanism weighs, its noise parameters, and the loss of them all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from dpframe.errors import DpframeError, PlanError
from dpframe.kernel.graphs import Typed
from dpframe.kernel.operations import Operation
from dpframe.kernel.reductions.control import ByCategory, ForEach
from dpframe.planning.composition import Leaves, Site, price
from dpframe.planning.surveying import survey, widest
from dpframe.planning.verdicts import Verdict
from dpframe.proof.losses import ZERO, Loss
from dpframe.proof.spaces import Adjacency
from dpframe.proof.theorems import Metrics
from dpframe.proof.typed import Path

Calibrations = dict[Path, dict[str, Any]]
LEAST_DELTA = 1e-300
"""A mechanism's own part of δ; below it tails underflow."""


@attrs.frozen
class Weighing:
    """What a site's own share is multiplied by: the share and split of the loops around it.

    ``tail`` is what its part of δ is multiplied by: a half where two categories may spend it.
    """

    site: Site
    worst: Metrics
    multiplier: float
    fixed: bool
    tail: float = 1.0

    def with_noise(self, noise_multiplier: float) -> Weighing:
        """The same mechanism with another, fixed noise multiplier."""
        operation = attrs.evolve(self.site.mechanism, share=None, noise_multiplier=noise_multiplier)
        node = attrs.evolve(self.site.node, operation=operation)
        return attrs.evolve(self, site=attrs.evolve(self.site, node=node), fixed=True)


def weigh(graph: Typed, adjacency: Adjacency) -> dict[Path, Weighing]:
    """Survey the mechanisms and give each its worst metrics and multiplier.

    Shares inside a loop are relative to one another, those of a loop within it included: they divide what the
    loop's own share buys.
    """
    sites = survey(graph, adjacency)
    loops = _loops(graph)
    # The mechanisms of a body and the loops inside it share what the loop buys, as weights that sum to 1: so its loss
    # is that of its own share, however many nodes its body has.
    multipliers = dict.fromkeys(loops, 1.0)
    for loop, operation in loops.items():  # outer loops come first
        outer = _around(loop, loops)
        weights = [_weight(site) for path, (site, _) in sites.items() if _around(path, loops) == loop]
        weights += [other.share for path, other in loops.items() if _around(path, loops) == loop]
        if not weights:
            raise PlanError(f"node {'/'.join(loop)!r}: the body of for_each releases nothing", fix="leave the loop out")
        multipliers[loop] = (multipliers[outer] if outer else 1.0) * operation.share / math.fsum(weights)
    twice = [path for path, node in graph.walk() if _twice(node.operation, adjacency)]
    out = {}
    for path, (site, met) in sites.items():
        inner = _around(path, loops)
        # A tail below a node that is charged twice is paid twice.
        tail = 0.5 if any(path[: len(node)] == node for node in twice) else 1.0
        own = site.mechanism.share is None
        out[path] = Weighing(site, widest(met), multipliers[inner] if inner else 1.0, own, tail)
    return out


def _twice(operation: Operation, adjacency: Adjacency) -> bool:
    """Whether neighbours may differ in two of the tables that a node makes."""
    return isinstance(operation, ByCategory) and operation.categories > 1 and adjacency.n_is_public


def _around(path: Path, loops: Mapping[Path, ForEach]) -> Path | None:
    """The innermost loop that holds the node, if any."""
    return max((loop for loop in loops if len(loop) < len(path) and path[: len(loop)] == loop), key=len, default=None)


def _weight(site: Site) -> float:
    share = site.mechanism.share
    if share is None:
        raise PlanError(
            f"node {site.name!r}: a body of for_each takes shares, not noise_multiplier",
            fix="give share=...: what it costs is divided by the released length",
        )
    return share


def _loops(graph: Typed) -> dict[Path, ForEach]:
    return {path: node.operation for path, node in graph.walk() if isinstance(node.operation, ForEach)}


def calibrate(weighings: Mapping[Path, Weighing], factor: float, delta: float) -> Calibrations:
    """Noise parameters of every mechanism for one factor."""
    out: Calibrations = {}
    for path, w in weighings.items():
        mechanism = w.site.mechanism
        rho = mechanism.rho(factor * w.multiplier)
        own = delta * mechanism.delta_fraction * w.tail
        if mechanism.delta_fraction and delta and own < LEAST_DELTA:
            raise PlanError(
                f"node {w.site.name!r}: its part of δ, {mechanism.delta_fraction:.3g} of {delta:.3g}, is below "
                f"{LEAST_DELTA:g}",
                fix="raise its delta_fraction, or delta of the budget",
            )
        try:
            out[path] = mechanism.calibrate(rho, own, w.worst, w.site.domain)
        except DpframeError as error:
            raise type(error)(f"node {w.site.name!r}: {error.message}", fix=error.fix) from None
        except ArithmeticError:
            raise PlanError(
                f"node {w.site.name!r}: no float64 holds its noise at a weight of ρ={rho:.3g}",
                fix="give shares of like size, here and in the loops around",
            ) from None
    return out


def total_loss(
    graph: Typed,
    adjacency: Adjacency,
    calibrations: Calibrations,
    *,
    only: Path | None = None,
    memo: dict[Any, Any] | None = None,
    taken: Mapping[Path, Leaves] | None = None,
) -> Loss:
    """The composed loss at these noise parameters; of one mechanism by itself if ``only`` names it.

    With ``taken`` divisions count as they were made. The losses of all mechanisms by themselves are :func:`each_alone`.
    """

    def leaf(site: Site, metrics: Metrics) -> Loss:
        if only is not None and site.path != only:
            return ZERO
        return site.mechanism.loss(calibrations[site.path], metrics, site.domain)

    return price(graph, adjacency, leaf, memo=memo, taken=taken)


def each_alone(
    graph: Typed, adjacency: Adjacency, calibrations: Calibrations, paths: Iterable[Path]
) -> dict[Path, Loss]:
    """The loss of each of these mechanisms by itself: of all nodes only those that it is made of are followed."""
    places = {node.name: i for i, node in enumerate(graph.nodes)}
    memo: dict[Any, Any] = {}
    found = {}
    for path in paths:
        memo.pop(graph.path, None)  # who reads what is another graph's; sensitivities are the same
        found[path] = total_loss(_above(graph, places, path[0]), adjacency, calibrations, only=path, memo=memo)
    return found


def _above(graph: Typed, places: Mapping[str, int], name: str) -> Typed:
    """The graph of one node and of what it is made of; ``places`` are those of all nodes."""
    needed, waiting = {places[name]}, [places[name]]
    while waiting:
        made_of = {places[ref.node] for ref in graph.nodes[waiting.pop()].inputs if ref.node in places} - needed
        needed |= made_of
        waiting += made_of
    nodes = tuple(graph.nodes[i] for i in sorted(needed))
    edges = {ref: graph.edges[ref] for node in nodes for ref in node.inputs}
    return attrs.evolve(graph, nodes=nodes, outputs=(), edges=edges)


@attrs.frozen(eq=False)
class Solution:
    """Noise parameters, their composed loss and its verdict, and the factor on the shares they come from."""

    weighings: Mapping[Path, Weighing]
    factor: float
    calibrations: Calibrations
    loss: Loss
    verdict: Verdict
