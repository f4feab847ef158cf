"""Shares to noise: one common factor on all shares, by bisection on the tightest accountant (check 9).

A share is a relative weight of ρ (Gaussian μ² = 2ρ, Laplace ε² = 2ρ, exponential ε² = 8ρ), so the factor is the
total ρ where everything is Gaussian. The solved total never exceeds the budget.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from dpframe.errors import BudgetError, DpframeError, PlanError
from dpframe.kernel.graphs import Typed
from dpframe.kernel.operations import Operation
from dpframe.kernel.reductions.control import ByCategory, ForEach
from dpframe.planning.composition import Leaves, Site, price, survey, widest
from dpframe.proof.losses import (
    ACCOUNTANTS,
    ZERO,
    ApproxDP,
    BoundedRange,
    Budget,
    Loss,
    Pure,
    Verdict,
    tightest_epsilon,
)
from dpframe.proof.roots import boundary, geometric
from dpframe.proof.spaces import Adjacency
from dpframe.proof.theorems import Metrics
from dpframe.proof.typed import Path

Calibrations = dict[Path, dict[str, Any]]
NEAR = 5e-7
NEAR_PLD = 4e-3
PLD_STEPS = 24
SMALLEST, LARGEST = 1e-18, 1e12
FASTEST = 64.0
LEAST_DELTA = 1e-300
"""A mechanism's own part of δ; below it tails underflow."""
Change = Callable[[Path, float], bool]


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
        """The same with another fixed noise."""
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

    With ``taken`` divisions count as they were made.
    """

    def leaf(site: Site, metrics: Metrics) -> Loss:
        if only is not None and site.path != only:
            return ZERO
        return site.mechanism.loss(calibrations[site.path], metrics, site.domain)

    return price(graph, adjacency, leaf, memo=memo, taken=taken)


@attrs.frozen(eq=False)
class Solution:
    """Noise parameters, their composed loss and its verdict, and the factor on the shares they come from."""

    weighings: Mapping[Path, Weighing]
    factor: float
    calibrations: Calibrations
    loss: Loss
    verdict: Verdict


def solve(graph: Typed, adjacency: Adjacency, budget: Budget) -> Solution:
    """Calibrations that meet the budget: never above, and where shares are given at most 1e-6 relative below.

    Where numerical composition (PLD) is the tightest accountant, at most 0.4 %.

    Raises
    ------
    BudgetError
        When fixed noise alone is above the budget, or δ is; names the dearest node and the change that fits.
    """
    delta = budget.delta if isinstance(budget, ApproxDP) else 0.0
    weighings = weigh(graph, adjacency)
    if delta == 0.0:
        _no_delta(weighings)

    memo: dict[Any, Any] = {}

    # Every accountant but PLD: each is sound by itself, so what holds by one holds, and PLD is asked for what it adds.
    def at(factor: float, weights: Mapping[Path, Weighing] = weighings) -> Solution:
        calibrations = calibrate(weights, factor, delta)
        loss = total_loss(graph, adjacency, calibrations, memo=memo)
        return Solution(weights, factor, calibrations, loss, _quick(budget, loss))

    def full(solution: Solution) -> Solution:
        return attrs.evolve(solution, verdict=budget.verdict(solution.loss))

    # Noise falls as the factor grows and every loss grows with it, so one point divides what holds from what does not;
    # where it fails at the smallest factor, fixed noise or the mechanisms' δ alone are too dear.
    fixed = all(w.fixed for w in weighings.values())
    first = 1.0 if fixed else _guess(weighings, budget)
    least = at(1.0 if fixed else SMALLEST)
    if fixed or not least.verdict.holds:
        whole = full(least)
        if not whole.verdict.holds:

            def change(path: Path, noise_multiplier: float) -> bool:
                weights = {**weighings, path: weighings[path].with_noise(noise_multiplier)}
                return full(at(least.factor, weights)).verdict.holds

            raise _refusal(weighings, whole, budget, change)
        return whole if fixed else _spend(lambda f: full(at(f)), whole, budget, NEAR_PLD, first)
    return _refine(lambda f: full(at(f)), full, _spend(at, least, budget, NEAR, first), budget)


def _guess(weighings: Mapping[Path, Weighing], budget: Budget) -> float:
    """A factor that would about spend the budget, were everything Gaussian: only where the search begins."""
    if isinstance(budget, ApproxDP):
        tail = math.log(1 / budget.delta)
        root = budget.epsilon / (math.sqrt(tail + budget.epsilon) + math.sqrt(tail))
        rho = root * root  # a power would raise where this is infinite
    else:
        root = getattr(budget, "mu", getattr(budget, "epsilon", 1.0))
        rho = getattr(budget, "rho", 0.0) or 0.5 * root * root
    weight = math.fsum(w.site.mechanism.rho(w.multiplier) for w in weighings.values() if not w.fixed)
    return min(max(rho / weight, 2 * SMALLEST), LARGEST) if 0 < rho / weight < math.inf else 1.0


def _quick(budget: Budget, loss: Loss) -> Verdict:
    """The budget's verdict by every accountant but PLD."""
    if not isinstance(budget, ApproxDP):
        return budget.verdict(loss)
    value, name = tightest_epsilon(loss, budget.delta, [a for a in ACCOUNTANTS if a != "pld"])
    return Verdict(value <= budget.epsilon, name, {"epsilon": value, "delta": budget.delta})


def _spent(solution: Solution, budget: Budget) -> float:
    """What the solution spends, as a part of the budget."""
    key = next(k for k in ("epsilon", "rho", "mu") if k in solution.verdict.spent)
    return solution.verdict.spent[key] / float(getattr(budget, key))


def _spend(
    at: Callable[[float], Solution], least: Solution, budget: Budget, tolerance: float, first: float
) -> Solution:
    """The largest factor that holds, to a relative gap of the spent total, from one that is known to hold.

    Chords in log spent and log factor, which are nearly straight, aim at a third of the gap below the budget. Where
    a chord leaves what is known, or two of them did not halve it, it is halved: as safe as bisection, in a fifth of
    its steps.
    """
    # `best` always holds by its own verdict: chords choose where to look, and never what is returned.
    best, high, trial = least, math.inf, first
    aim, slope, poor = math.log1p(-tolerance / 3), 0.5, 0
    last: tuple[float, float] | None = None
    while 1 - _spent(best, budget) > tolerance and high > best.factor * (1 + 4e-16):
        low, result = best.factor, at(trial)
        width = math.log(high / low)
        if result.verdict.holds:
            best = result
            if trial >= LARGEST and 1 - _spent(best, budget) > tolerance:
                raise _unspent(best, budget)
        else:
            high = trial
        poor = 0 if math.log(high / best.factor) <= width / 2 < math.inf else poor + 1
        here, spent = math.log(trial), _spent(result, budget)
        chord = 0.0 < spent < math.inf
        if chord:
            if last is not None and last[0] != here:
                slope = min(max((math.log(spent) - last[1]) / (here - last[0]), 0.05), 20.0)
            last = (here, math.log(spent))
            step = min(max((aim - last[1]) / slope, math.log(1 / FASTEST)), math.log(FASTEST))
            trial = min(trial * math.exp(step), LARGEST)
        if not chord or poor > 1 or not best.factor < trial < high:
            trial, poor = _halfway(best.factor, high), 0
    return best


def _halfway(low: float, high: float) -> float:
    """Between two factors, geometrically; or well above the lower where there is no other."""
    return min(low * FASTEST, LARGEST) if math.isinf(high) else max(math.sqrt(low * high), high / FASTEST)


def _unspent(most: Solution, budget: Budget) -> BudgetError:
    """The largest factor on the shares is still within the budget."""
    key, spent = next((k, most.verdict.spent[k]) for k in ("epsilon", "rho", "mu") if k in most.verdict.spent)
    return BudgetError(
        f"the budget {budget.to_json()} can't be spent: at a factor of {most.factor:.3g} the shares cost "
        f"{key}={spent:.6g}",
        fix=f"lower {key} to {spent / 2:.4g} or less" if spent > 0 else "give noise_multiplier=... in place of shares",
    )


def _refine(
    at: Callable[[float], Solution], full: Callable[[Solution], Solution], quick: Solution, budget: Budget
) -> Solution:
    """Spend what PLD leaves over of a solution found without it: chords in log spent and log factor."""
    best = full(quick)
    if best.verdict.accountant != "pld":
        return best if best.verdict.holds else quick
    high = math.inf
    for _ in range(PLD_STEPS):
        gap = 1 - _spent(best, budget)
        if gap <= NEAR_PLD:
            break
        # What is spent grows like a power of the factor between a half and one; the inverse lies between 1 and 2.
        aim = best.factor * (1 - gap + NEAR_PLD / 3) ** -1.5
        trial = aim if aim < high else math.sqrt(best.factor * high)
        result = at(trial)
        if result.verdict.holds:
            best = result
        else:
            high = trial
    return best


def _no_delta(weighings: Mapping[Path, Weighing]) -> None:
    for w in weighings.values():
        if w.site.mechanism.delta_fraction:
            raise BudgetError(
                f"node {w.site.name!r} spends a part of δ, and this budget has none",
                fix="give the budget as epsilon and delta",
            )


def _refusal(weighings: Mapping[Path, Weighing], result: Solution, budget: Budget, change: Change) -> BudgetError:
    """Name the most expensive node and the smallest change that fits."""
    verdict, loss = result.verdict, result.loss
    costs = {
        path: w.site.mechanism.loss(result.calibrations[path], w.worst, w.site.domain) for path, w in weighings.items()
    }
    dearest = max(costs, key=lambda path: _cost(costs[path]))
    name = "/".join(dearest)
    spent = ", ".join(f"{key}={value:.6g}" for key, value in verdict.spent.items())
    message = (
        f"the graph costs {spent} by {verdict.accountant}, above the budget {budget.to_json()}; "
        f"its most expensive node is {name!r}, at {describe_loss(costs[dearest])}"
    )
    key = next(k for k in ("epsilon", "rho", "mu") if k in verdict.spent)
    if isinstance(budget, ApproxDP) and loss.delta >= budget.delta:
        message = f"{message}; its mechanisms alone take δ={loss.delta:.3g}"
        return BudgetError(message, fix=_less_delta(weighings, costs, loss.delta, budget.delta))
    if not isinstance(budget, ApproxDP) and verdict.spent[key] == math.inf:
        return BudgetError(message, fix=_other_form(loss, key))
    shared = any(not w.fixed for w in weighings.values())
    fixes = [f"raise {key} to {_ceil(verdict.spent[key] * (1.1 if shared else 1.0))}"]
    if verdict.spent[key] == math.inf:
        fixes = ["raise delta"]
    old = weighings[dearest].site.mechanism.noise_multiplier
    if old is not None:
        new = _enough(lambda m: change(dearest, m), old)
        if new is not None:
            fixes.append(f"raise the noise_multiplier of {name!r} from {old:.4g} to {_ceil(new)}, or give it a share")
        else:
            fixes.append(
                f"raise the noise_multiplier of {name!r} from {old:.4g} and that of others, or give all a share"
            )
    return BudgetError(message, fix=", or ".join(fixes))


def _less_delta(weighings: Mapping[Path, Weighing], costs: Mapping[Path, Loss], taken: float, delta: float) -> str:
    """How to leave some δ: smaller fractions, or a larger δ where what is taken is no fraction of it."""
    greedy = max(costs, key=lambda path: costs[path].delta)
    if weighings[greedy].site.mechanism.delta_fraction:
        return f"divide the delta_fraction of {'/'.join(greedy)!r} and its like by more than {taken / delta:.3g}"
    return f"raise delta to {_ceil(2 * taken)}"


def _other_form(loss: Loss, key: str) -> str:
    """What helps where no budget of this form is large enough."""
    others = [word for word, value in (("rho", loss.rho), ("mu", loss.mu)) if word != key and value < math.inf]
    alone = {"epsilon": "laplace or a selection", "mu": "gaussian or laplace", "rho": "gaussian or laplace"}[key]
    forms = " or as ".join(["epsilon and delta", *others])
    return f"give the budget as {forms}, or release by {alone} only: the noise used has no finite {key}"


def _enough(holds: Callable[[float], bool], old: float) -> float | None:
    """The least noise multiplier above ``old`` that fits, to 0.1 %; None where none does."""
    low, high = old, old * 2
    while not holds(high):
        low, high = high, high * 4
        if high > old * 1e9:
            return None
    return boundary(holds, high, low, relative=1e-3, middle=geometric)[0]


def _ceil(value: float) -> str:
    """Four digits, rounded up: what a user is told to raise something to."""
    digits = 3 - math.floor(math.log10(value))
    return f"{math.ceil(value * 10.0**digits) / 10.0**digits:.4g}"


def _cost(loss: Loss) -> float:
    total = sum(event.rho * times for event, times in loss.events)
    return total if total < math.inf else sum(event.epsilon * times for event, times in loss.events)


def describe_loss(loss: Loss) -> str:
    """A loss in few words."""
    words = []
    for event, times in loss.events:
        views = [("μ", event.mu), ("ε", event.epsilon), ("ρ", event.rho)]
        if isinstance(event, (Pure, BoundedRange)):
            views = [("ε", event.epsilon)]
        known = [f"{letter}={value:.4g}" for letter, value in views if value < math.inf]
        word = known[0] if known else type(event).__name__
        words.append(word if times == 1 else f"{times}×({word})")
    if loss.delta:
        words.append(f"δ={loss.delta:.3g}")
    return " + ".join(words) or "0"
