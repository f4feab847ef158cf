"""Shares to noise: one common factor on all shares, by bisection on the tightest accountant (check 9).

A share is a relative weight of ρ (Gaussian μ² = 2ρ, Laplace ε² = 2ρ, exponential ε² = 8ρ), so the factor is the
total ρ where everything is Gaussian. The solved total never exceeds the budget.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from dpframe.errors import BudgetError, DpframeError
from dpframe.graph import Edge, Graph, Ref
from dpframe.losses import ApproxDP, Loss, Verdict
from dpframe.planning.composition import Path, Site, price, survey, widest
from dpframe.reductions.control import ForEach
from dpframe.spaces import Adjacency
from dpframe.theorems import Metrics

Calibrations = dict[Path, dict[str, Any]]


@attrs.frozen
class Weighing:
    """What a site's own share is multiplied by: the share and split of the loops around it."""

    site: Site
    worst: Metrics
    multiplier: float
    fixed: bool


def weigh(graph: Graph, found: Mapping[Ref, Edge], adjacency: Adjacency) -> dict[Path, Weighing]:
    """Survey the mechanisms and give each its worst metrics and multiplier."""
    sites = survey(graph, found, adjacency)
    loops = _loops(graph, ())
    out = {}
    for path, (site, met) in sites.items():
        multiplier = 1.0
        for loop, operation in loops.items():
            if path[: len(loop)] == loop:
                inner = [s.mechanism.share for p, (s, _) in sites.items() if p[: len(loop)] == loop]
                if any(s is None for s in inner):
                    raise BudgetError(f"node {'/'.join(loop)!r}: a body of for_each takes shares, not noise_multiplier")
                multiplier *= operation.share / sum(s or 0.0 for s in inner)
        out[path] = Weighing(site, widest(met), multiplier, site.mechanism.share is None)
    return out


def _loops(graph: Graph, path: Path) -> dict[Path, ForEach]:
    out = {}
    for node in graph.nodes:
        if isinstance(node.operation, ForEach):
            out[(*path, node.name)] = node.operation
        for label, body in node.bodies:
            out.update(_loops(body, (*path, node.name, label)))
    return out


def calibrate(weighings: Mapping[Path, Weighing], factor: float, delta: float) -> Calibrations:
    """Noise parameters of every mechanism for one factor."""
    out: Calibrations = {}
    for path, w in weighings.items():
        mechanism = w.site.mechanism
        rho = mechanism.rho(factor * w.multiplier)
        try:
            out[path] = mechanism.calibrate(rho, delta * mechanism.delta_share, w.worst, w.site.domain)
        except DpframeError as error:
            raise type(error)(f"node {w.site.name!r}: {error.message}", fix=error.fix) from None
    return out


def total_loss(graph: Graph, found: Mapping[Ref, Edge], adjacency: Adjacency, calibrations: Calibrations) -> Loss:
    """The composed loss at these noise parameters."""

    def leaf(site: Site, metrics: Metrics) -> Loss:
        return site.mechanism.loss(calibrations[site.path], metrics, site.domain)

    return price(graph, found, adjacency, leaf)


@attrs.frozen(eq=False)
class Solution:
    """Noise parameters, their composed loss and its verdict, and the factor on the shares they come from."""

    factor: float
    calibrations: Calibrations
    loss: Loss
    verdict: Verdict


def solve(graph: Graph, found: Mapping[Ref, Edge], adjacency: Adjacency, budget: Any) -> Solution:
    """Calibrations that meet the budget: never above, and at most 1e-6 relative below where shares are given.

    Raises
    ------
    BudgetError
        When fixed noise alone is above the budget, or δ is; names the dearest node and the change that fits.
    """
    delta = budget.delta if isinstance(budget, ApproxDP) else 0.0
    weighings = weigh(graph, found, adjacency)
    if delta == 0.0:
        _no_delta(weighings)

    def at(factor: float) -> Solution:
        calibrations = calibrate(weighings, factor, delta)
        loss = total_loss(graph, found, adjacency, calibrations)
        return Solution(factor, calibrations, loss, budget.verdict(loss))

    if not weighings or all(w.fixed for w in weighings.values()):
        result = at(1.0)
        if not result.verdict.holds:
            raise _refusal(weighings, result, budget)
        return result
    return _bisect(at, weighings, budget)


def _bisect(at: Callable[[float], Solution], weighings: Mapping[Path, Weighing], budget: Any) -> Solution:
    low, high = 0.0, 1e-3
    best = None
    while (result := at(high)).verdict.holds:
        low, high, best = high, high * 8, result
        if high > 1e12:
            raise BudgetError("the budget can't be spent: no share costs anything", fix="check the shares")
    while best is None:
        high, trial = high / 8, high / 8
        if trial < 1e-18:
            raise _refusal(weighings, result, budget)
        if (result := at(trial)).verdict.holds:
            low, best = trial, result
            high = trial * 8
        else:
            high = trial
    tolerance = 1e-3 if best.verdict.accountant == "pld" else 5e-7
    while high > low * (1 + tolerance):
        middle = math.sqrt(low * high)
        if (result := at(middle)).verdict.holds:
            low, best = middle, result
        else:
            high = middle
    return best


def _no_delta(weighings: Mapping[Path, Weighing]) -> None:
    for w in weighings.values():
        if w.site.mechanism.delta_share:
            raise BudgetError(
                f"node {w.site.name!r} spends a part of δ, and this budget has none",
                fix="give the budget as epsilon and delta",
            )


def _refusal(weighings: Mapping[Path, Weighing], result: Solution, budget: Any) -> BudgetError:
    """Name the dearest node and the smallest change of its noise that fits."""
    calibrations, loss, verdict = result.calibrations, result.loss, result.verdict
    if not weighings:
        return BudgetError(f"the graph costs {verdict.spent}, above {budget.to_json()}", fix="raise the budget")
    costs = {path: w.site.mechanism.loss(calibrations[path], w.worst, w.site.domain) for path, w in weighings.items()}
    dearest = max(costs, key=lambda p: _cost(costs[p]))
    fix = "raise the budget, or give this node more noise"
    if weighings[dearest].fixed:
        old = weighings[dearest].site.mechanism.noise_multiplier
        fix = f"{fix}: more than its noise_multiplier {old}, or a share instead"
    if loss.delta > getattr(budget, "delta", math.inf):
        fix = "raise delta, or lower the delta_share of the thresholds"
    return BudgetError(
        f"the graph costs {verdict.spent} under {verdict.accountant}, above the budget {budget.to_json()}; "
        f"its dearest node is {'/'.join(dearest)!r}",
        fix=fix,
    )


def _cost(loss: Loss) -> float:
    total = sum(event.rho * times for event, times in loss.events)
    return total if total < math.inf else sum(event.epsilon * times for event, times in loss.events)
