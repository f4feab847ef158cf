"""Shares to noise: one common factor on all shares, by bisection on the tightest accountant (check 9).

A share is a relative weight of ρ (Gaussian μ² = 2ρ, Laplace ε² = 2ρ, exponential ε² = 8ρ), so the factor is the
total ρ where everything is Gaussian. The solved total never exceeds the budget.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from dpframe.errors import BudgetError
from dpframe.kernel.graphs import Typed
from dpframe.planning.refusing import in_words, refusal
from dpframe.planning.verdicts import Verdict, verdict
from dpframe.planning.weighing import Solution, Weighing, calibrate, total_loss, weigh
from dpframe.proof.losses import ACCOUNTANTS, GDP, ZCDP, ApproxDP, Budget, Loss, PureDP, tightest_epsilon
from dpframe.proof.spaces import Adjacency
from dpframe.proof.typed import Path

NEAR = 5e-7
NEAR_PLD = 4e-3
PLD_STEPS = 24
SMALLEST, LARGEST = 1e-18, 1e12
FASTEST = 64.0


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
        return attrs.evolve(solution, verdict=verdict(budget, solution.loss))

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

            raise refusal(weighings, whole, budget, change)
        return whole if fixed else _spend(lambda f: full(at(f)), whole, budget, NEAR_PLD, first)
    return _refine(lambda f: full(at(f)), full, _spend(at, least, budget, NEAR, first), budget)


def _guess(weighings: Mapping[Path, Weighing], budget: Budget) -> float:
    """A factor that would about spend the budget, were everything Gaussian: only where the search begins."""
    match budget:
        case ApproxDP(epsilon, delta):
            tail = math.log(1 / delta)
            root = epsilon / (math.sqrt(tail + epsilon) + math.sqrt(tail))
            rho = root * root  # a power would raise where this is infinite
        case ZCDP():
            rho = budget.rho
        case PureDP(size) | GDP(size):
            rho = 0.5 * size * size
    weight = math.fsum(w.site.mechanism.rho(w.multiplier) for w in weighings.values() if not w.fixed)
    return min(max(rho / weight, 2 * SMALLEST), LARGEST) if 0 < rho / weight < math.inf else 1.0


def _quick(budget: Budget, loss: Loss) -> Verdict:
    """The budget's verdict by every accountant but PLD."""
    if not isinstance(budget, ApproxDP):
        return verdict(budget, loss)
    value, name = tightest_epsilon(loss, budget.delta, [a for a in ACCOUNTANTS if a != "pld"])
    return Verdict(value <= budget.epsilon, name, {"epsilon": value, "delta": budget.delta})


def _spent(solution: Solution, budget: Budget) -> float:
    """What the solution spends, as a part of the budget."""
    key = next(k for k in ("epsilon", "rho", "mu") if k in solution.verdict.spent)
    return solution.verdict.spent[key] / float(budget.to_json()[key])


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
        f"the budget {in_words(budget)} can't be spent: at a factor of {most.factor:.3g} the shares cost "
        f"{key}={spent:.6g}",
        fix=f"lower {key} to {spent / 2:.4g} or less; of a mechanism whose loss stays at that whatever its noise, "
        "give noise_multiplier=... in place of its share"
        if spent > 0
        else "give noise_multiplier=... in place of shares",
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
