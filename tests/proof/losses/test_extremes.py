"""Losses where numbers underflow or cancel, with the twins that did."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest

from dpframe.planning.discrete_events import DiscreteLaplace
from dpframe.proof.losses import (
    GDP,
    ZCDP,
    ApproxDP,
    BoundedRange,
    Gaussian,
    Laplace,
    Loss,
    LossError,
    Pure,
    PureDP,
    epsilon,
    pld,
    tightest_epsilon,
)
from dpframe.proof.losses._numeric import U
from tests.proof.losses import exact
from tests.proof.losses.repeated import repeat
from tests.proof.losses.sixty_digits import faults, profile

DEEP = (Pure(0.1), 8000, 1e-279)


def is_tight_and_not_below(event: Pure, times: int, target: float) -> bool:
    """At our epsilon the binomial sum is at most delta, and a little below it is more."""
    pld.pair_epsilon.cache_clear()
    ours = pld.pair_epsilon(Loss.of(event, times).events, target)
    with mpmath.workdps(exact.DIGITS):
        atoms = exact.response(event.epsilon, times)
        return exact.atoms_profile(atoms, ours) <= target < exact.atoms_profile(atoms, ours * (1 - 1e-4))


def old_tail_profile(step: float, masses: np.ndarray) -> np.ndarray:
    """Decays over the whole window at once, so that what is left underflows."""
    index = np.arange(len(masses))
    decayed = np.cumsum((masses * np.exp(-index * step))[::-1])[::-1]
    drop = np.append(decayed[1:], 0.0) * np.exp((index + 1) * step) * -math.expm1(-step)
    return np.cumsum(drop[::-1])[::-1]  # type: ignore[no-any-return]


def test_composition_at_extreme_deltas() -> None:
    assert is_tight_and_not_below(*DEEP)


@pytest.mark.slow
@pytest.mark.parametrize("target", [1e-240, 1e-279, 1e-299])
def test_many_responses_at_extreme_deltas(target: float) -> None:
    assert is_tight_and_not_below(Pure(0.1), 12_000, target)


def test_an_underflowing_profile_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The profile in absolute units, decayed over the whole window: the code before."""
    plan = pld.plan

    def absolute(core: object, target: float, near: float, order: float) -> object:
        grid = plan(core, target, near, order)  # type: ignore[arg-type]
        return None if grid is None else pld.attrs.evolve(grid, log_delta=0.0)

    monkeypatch.setattr(pld, "tail_profile", old_tail_profile)
    monkeypatch.setattr(pld, "plan", absolute)
    monkeypatch.setattr(pld, "_UNIT", DEEP[2])
    monkeypatch.setattr(pld, "SLACK", math.inf)
    assert not is_tight_and_not_below(*DEEP)
    pld.pair_epsilon.cache_clear()


def old_range_rdp(e: float, a: np.ndarray) -> np.ndarray:
    """The logarithm of a difference of nearly equal exponentials: what is left of a tiny epsilon is round-off."""
    low, high = -np.expm1(-a * e), math.exp(-e) * -np.expm1(-(a - 1) * e)
    t = np.clip(np.log((a - 1) / a) + np.log(low) - np.log(high), 0.0, e)
    inner = (low - np.exp(t) * high) / -math.expm1(-e)
    value = t + np.log(inner) / (a - 1)
    value += 64 * U * (2 + a * e + low / inner) / (a - 1)
    return np.minimum(value, Pure(e).rdp(a))  # type: ignore[no-any-return]


def test_cancellation_in_a_tiny_range_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedRange, "_rdp", lambda self, orders: old_range_rdp(self.epsilon, orders))
    assert any("BoundedRange" in fault for fault in faults("range", 2, 1))


def test_a_profile_for_twice_the_noise_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    curve = Laplace._rdp
    monkeypatch.setattr(Laplace, "_rdp", lambda self, orders: curve(Laplace(self.epsilon / 2), orders))
    assert faults("laplace", 1, 1)


def test_very_many_tiny_ranges_cost_what_the_normal_limit_says() -> None:
    """1e15 times a range of 1e-9 is, to 7 digits, a Gaussian of mu = sqrt(1e15) 1e-9 / 2 if t is in the middle."""
    loss, target = Loss.of(BoundedRange(1e-9), 10**15), 1e-6
    limit = epsilon(Loss.of(Gaussian(math.sqrt(1e15) * 5e-10)), target, "gdp")
    for accountant in ("rdp", "zcdp", "gdp", "pld"):
        assert limit * (1 - 1e-7) <= epsilon(loss, target, accountant)
    assert tightest_epsilon(loss, target)[0] <= limit * 1.15  # the conversion at the best order costs that


@pytest.mark.parametrize("eps", [1e-320, 1e-200, 1e-160, 1e-110])
def test_what_underflows_is_rounded_up(eps: float) -> None:
    for event in (Pure(eps), Laplace(eps), BoundedRange(eps), DiscreteLaplace(3, min(3 / eps, 1e308)), Gaussian(eps)):
        assert event.mu > 0
        assert (event.rho > 0) or isinstance(event, Gaussian)
        assert profile(event, 0.0) > 0
        assert np.all(event.rdp(np.array([1.001, 2.0, 1e6])) > 0)


def test_adding_failures_up_is_looser() -> None:
    """1e5 mechanisms of (0.01, 1e-7) have 0.00995 to lose, not 0.01: the core keeps half a percent more of delta."""
    loss = repeat(Loss.of(Pure(0.01), delta=1e-7), 10**5)
    assert loss.delta == pytest.approx(-math.expm1(1e5 * math.log1p(-1e-7)), rel=1e-12)
    assert tightest_epsilon(loss, 0.01)[0] < tightest_epsilon(Loss(loss.events, 0.00999999), 0.01)[0] * 0.93


def test_impossible_multiplicities_are_refused() -> None:
    from dpframe.proof.losses import LossError

    with pytest.raises(LossError, match="times"):
        Loss.of(Pure(0.1), 10**400)
    with pytest.raises(LossError, match="shift"):
        DiscreteLaplace(10**400, 1e300)


@pytest.mark.parametrize("make", [ZCDP, GDP, PureDP, lambda value: ApproxDP(value, 1e-6)])
def test_no_budget_is_below_what_a_loss_is_reported_as(make: Any) -> None:
    """Shares of one would leave float64 in a recipe, which ended in an internal error."""
    for value in (5e-324, 1e-320, 9e-301):
        with pytest.raises(LossError, match="at least 1e-300"):
            make(value)
    make(1e-300)


def test_a_budget_that_is_refused_is_told_what_to_give() -> None:
    """Infinity is no small number; δ = 0 has a budget of its own."""
    with pytest.raises(LossError, match=r"finite, not inf. Fix: give a positive number, as 1.0"):
        ApproxDP(math.inf, 1e-6)
    with pytest.raises(LossError, match=r"not 0.0. Fix: give one well below 1/n; pure_dp is for 0"):
        ApproxDP(1.0, 0.0)
