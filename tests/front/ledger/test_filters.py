"""The filter of a ledger: its limits, what runs are charged, and the analysts it has to hold against."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import norm

from dpframe.errors import BudgetError, SpecError
from dpframe.front.ledger import Charge, Entry, Filter, State, make_filter
from dpframe.front.specs import load_spec
from dpframe.planning.discrete_events import DiscreteLaplace
from dpframe.proof.families.masks import mixture_cost
from dpframe.proof.losses import (
    GDP,
    ZCDP,
    ApproxDP,
    Budget,
    Concentrated,
    Gaussian,
    Laplace,
    Loss,
    Pure,
    PureDP,
    Renyi,
    epsilon,
    tightest_epsilon,
)
from dpframe.proof.losses.gaussian import gaussian_delta, gaussian_profile

Floats = npt.NDArray[np.float64]
BUDGETS = [ApproxDP(*pair) for pair in ((1.0, 1e-6), (0.01, 1e-6), (0.1, 1e-3), (10.0, 1e-9), (1.0, 0.01), (50.0, 0.3))]


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_the_limits_imply_the_budget_and_leave_nothing_over(budget: ApproxDP) -> None:
    kept = make_filter(budget)
    assert kept.sound()
    assert not Filter(budget, kept.limit * (1 + 1e-6), kept.own_delta).sound()
    assert not Filter(budget, kept.limit, kept.own_delta * 1.01 + 1e-3 * budget.delta).sound()
    full = kept.spent([Charge(kept.limit, kept.own_delta)])
    assert 0.999 * budget.epsilon < full["epsilon"] <= budget.epsilon


@pytest.mark.parametrize("budget", BUDGETS, ids=str)
def test_ten_gaussian_plans_cost_what_one_of_ten_costs(budget: ApproxDP) -> None:
    """What is kept of δ costs Gaussian noise less than 1 % of ε; the charges themselves cost nothing."""
    kept = make_filter(budget)
    most = kept.remaining([])["epsilon"]
    assert 0.99 * budget.epsilon < most <= budget.epsilon
    one = Loss.of(Gaussian(math.sqrt(kept.limit / 10) * (1 - 1e-12)))
    plans = [kept.charge(one)] * 10
    assert kept.fits(plans)
    assert not kept.fits([*plans, kept.charge(Loss.of(Gaussian(1e-3 * one.mu)))])
    together = tightest_epsilon(Loss(((Gaussian(one.mu), 10),)), budget.delta)[0]
    assert kept.spent(plans)["epsilon"] == pytest.approx(together, rel=1e-9)


@pytest.mark.parametrize(
    ("budget", "loss", "amount"),
    [
        (ZCDP(1.0), Loss.of(Gaussian(0.2), 3), 0.06),
        (ZCDP(1.0), Loss.of(Concentrated(0.25)), 0.25),
        (PureDP(2.0), Loss.of(Laplace(0.5), 2), 1.0),
        (GDP(2.0), Loss.of(Gaussian(0.5), 2), 0.5),
        (ApproxDP(1.0, 1e-6), Loss.of(Gaussian(0.2), delta=1e-8), 0.04),
        (ApproxDP(1.0, 1e-6), Loss.of(Pure(0.1)), Pure(0.1).mu ** 2),
        (ApproxDP(1.0, 1e-6), Loss.of(DiscreteLaplace(1, 10.0)), DiscreteLaplace(1, 10.0).mu ** 2),
    ],
)
def test_what_a_run_is_charged(budget: Budget, loss: Loss, amount: float) -> None:
    charge = make_filter(budget).charge(loss)
    assert charge.amount == pytest.approx(amount, rel=1e-12)
    assert charge.delta == loss.delta


def test_a_loss_without_mu_is_charged_as_randomised_response() -> None:
    kept, loss = make_filter(ApproxDP(8.0, 1e-5)), Loss.of(Concentrated(0.01))
    charge = kept.charge(loss, at=1e-7)
    assert charge.delta == 1e-7
    assert charge.amount == pytest.approx(Pure(epsilon(loss, 1e-7, "zcdp")).mu ** 2, rel=1e-9)
    assert kept.spent([charge])["epsilon"] > epsilon(loss, 1e-5, "zcdp")


@pytest.mark.parametrize(
    ("budget", "loss", "words"),
    [
        (ApproxDP(1.0, 1e-6), Loss.of(Concentrated(0.1)), "no finite mu"),
        (ApproxDP(1.0, 1e-6), Loss.of(Renyi((2.0,), (0.1,))), "no finite mu"),
        (ApproxDP(1.0, 1e-6), Loss.of(Gaussian(1e200)), "no finite mu"),
        (ZCDP(1.0), Loss.of(Renyi((2.0,), (0.1,))), "no finite rho"),
        (ZCDP(1.0), Loss.of(Gaussian(0.1), delta=1e-9), "delta of its own"),
        (PureDP(1.0), Loss.of(Gaussian(0.1)), "no finite epsilon"),
        (GDP(1.0), Loss.of(Gaussian(0.1), delta=1e-9), "delta of its own"),
    ],
)
def test_what_has_no_bound_in_the_view_is_refused(budget: Budget, loss: Loss, words: str) -> None:
    with pytest.raises(BudgetError, match=words):
        make_filter(budget).charge(loss)


@pytest.mark.parametrize("own", [-1e-9, 1e-6, 1.0, math.nan])
def test_a_part_of_delta_that_is_none(own: float) -> None:
    with pytest.raises(SpecError, match="own part of delta"):
        make_filter(ApproxDP(1.0, 1e-6), own)


@pytest.mark.parametrize("budget", [ZCDP(0.3), PureDP(0.3), GDP(0.3)], ids=str)
def test_budgets_without_delta(budget: Budget) -> None:
    kept = make_filter(budget)
    assert kept.sound()
    assert kept.fits([Charge(kept.limit, 0.0)])
    assert not kept.fits([Charge(math.nextafter(kept.limit, 1.0), 0.0)])
    assert not kept.fits([Charge(kept.limit, 5e-324)])
    with pytest.raises(SpecError, match="part of delta"):
        make_filter(budget, 0.1)


def test_charges_add_up_exactly() -> None:
    """Ten tenths are more than one in floats that are rounded up, and a loss too small for the sum still counts."""
    kept = make_filter(ZCDP(1.0))
    assert not kept.fits([Charge(0.1, 0.0)] * 10)  # the float 0.1 is above a tenth
    assert not kept.fits([Charge(1.0, 0.0), Charge(1e-300, 0.0)])
    assert kept.fits([Charge(0.125, 0.0)] * 8)


def test_the_practical_mixture_of_the_same_budget_fits() -> None:
    plan = load_spec("practical_gmm", {"k": 3, "d": 5, "n": 10_000, "bound": 10.0}).plan()
    kept = make_filter(plan.budget)
    assert kept.fits([kept.charge(plan.loss)])
    price = kept.price(kept.charge(plan.loss), plan.verdict.spent["epsilon"], plan.budget.delta)
    assert price == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("stated", "taken"),
    [
        ({"epsilon": 1.0, "delta": 1e-6}, True),
        ({"epsilon": 0.9, "delta": 1e-7}, True),
        ({"epsilon": 0.8999, "delta": 1e-6}, False),
        ({"epsilon": 1.0 + 1e-15, "delta": 1e-6}, False),
        ({"epsilon": 1.0, "delta": 1.1e-6}, False),
        ({"rho": 1.0, "delta": 0.0}, False),
        ({}, False),
    ],
)
def test_a_first_plan_of_the_whole_budget(stated: dict[str, float], taken: bool) -> None:
    kept = make_filter(ApproxDP(1.0, 1e-6))
    assert kept.whole(stated) == (Charge(kept.limit, kept.own_delta) if taken else None)
    assert make_filter(ZCDP(1.0)).whole(stated) is None
    state = State("t", None, kept, ())
    loss = Loss.of(Concentrated(0.02))
    if taken:
        first = state.admit(loss, None, stated)
        entry = Entry(1, "k", "t", None, "reserved", False, ("{}", "{}"), first, "")
        later = State("t", None, kept, (entry,))
        assert later.spent["epsilon"] <= 1.0
        for more in (loss, Loss.of(Gaussian(1e-9)), Loss((), 1e-300)):
            with pytest.raises(BudgetError):
                later.admit(more, None, stated)
    else:
        with pytest.raises(BudgetError):
            state.admit(loss, None, stated)


# --------------------------------------------------------------------------------------- analysts


def choice(mu: float, eps: float, rest: Callable[[Floats], Floats]) -> float:
    """δ at eps of a Gaussian release of μ and then, by its outcome, whatever has this profile at the loss left."""
    y = np.linspace(-12.0, 12.0 + mu, 40_001)
    loss = mu * y - mu * mu / 2
    return float(np.trapezoid(norm.pdf(y - mu) * rest(eps - loss), y))


def noise(mu: float) -> Callable[[Floats], Floats]:
    return lambda x: gaussian_profile(mu, x)[1] if mu > 0 else np.maximum(-np.expm1(x), 0.0)


def failing(delta: float, mu: float) -> Callable[[Floats], Floats]:
    return lambda x: delta + (1 - delta) * noise(mu)(x)


@pytest.mark.parametrize(("eps", "delta", "first"), [(1.0, 1e-6, 0.2), (1.0, 0.1, 0.4), (0.5, 0.05, 0.2)])
def test_a_delta_that_is_settled_later_is_exceeded(eps: float, delta: float, first: float) -> None:
    """The broken twin admits sums of μ² and δ that convert to at most δ. Ours holds against the same analyst."""
    most = math.sqrt(make_filter(ApproxDP(eps, delta), 0.0).limit)
    left, fail = math.sqrt(most**2 - first**2), delta - gaussian_delta(first, eps)
    alone = [choice(first, eps, noise(left)), choice(first, eps, failing(fail, 0.0))]
    assert max(alone) <= delta * (1 + 1e-6)
    either = choice(first, eps, lambda x: np.maximum(noise(left)(x), failing(fail, 0.0)(x)))
    assert either > 1.2 * delta
    kept = make_filter(ApproxDP(eps, delta), 0.3 * delta)
    assert not kept.fits([Charge(first**2, 0.0), Charge(0.0, fail)])
    left, fail = math.sqrt(max(kept.limit - first**2, 0.0)), kept.own_delta
    options = [noise(left), failing(fail, 0.0), failing(fail, left)]
    assert choice(first, eps, lambda x: np.max([option(x) for option in options], axis=0)) <= delta * (1 + 1e-9)


def test_a_mask_is_charged_by_its_own_total_which_is_proved_of_what_runs() -> None:
    """Its rounding is proved in statements of ε up to 150 alone, and a ledger composes to more: so never by a view."""
    cost = mixture_cost(1e-3, (0.1, 0.1, 0.1), 2, 3)
    loss = Loss.of(cost, delta=2.0**-100)
    assert [loss.mu, loss.rho, loss.epsilon] == [math.inf] * 3
    alone = tightest_epsilon(loss, 1e-6)[0]
    kept = make_filter(ApproxDP(400.0, 1e-3), 1e-4)
    assert kept.charge(loss, at=1e-6) == kept.charge(Loss.of(Pure(alone), delta=1e-6))
    for budget in BUDGETS:
        with pytest.raises(BudgetError):
            make_filter(budget).charge(loss)
    for other in (PureDP(400.0), ZCDP(400.0), GDP(20.0)):
        with pytest.raises(BudgetError):
            make_filter(other).charge(loss, at=1e-6)
