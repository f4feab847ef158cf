"""Conversions: known values, order between accountants, the loss's own delta, and round trips."""

from __future__ import annotations

import json
import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpframe.errors import CertificateError
from dpframe.planning.deltas import delta
from dpframe.planning.discrete_events import DiscreteLaplace
from dpframe.planning.verdicts import verdict
from dpframe.proof.losses import (
    ACCOUNTANTS,
    GDP,
    ZCDP,
    ZERO,
    ApproxDP,
    BoundedRange,
    Budget,
    Concentrated,
    Event,
    Gaussian,
    Laplace,
    Loss,
    LossError,
    Pure,
    PureDP,
    Renyi,
    amplify,
    applicable,
    budget_from_json,
    compose,
    epsilon,
    tightest_epsilon,
    worst,
)
from dpframe.proof.losses.lattice_pld import fft_error
from tests.proof.losses.repeated import repeat

INFINITE = Loss.of(Pure(math.inf))


@pytest.mark.parametrize(
    ("loss", "target", "accountant", "expected"),
    [
        (Loss.of(Gaussian(1.0)), 1e-6, "gdp", 4.8866),  # where a misprinted zCDP conversion gives 3.72
        (Loss.of(Gaussian(1.0)), 1e-6, "zcdp", 5.2215),
        (Loss.of(Gaussian(1.0)), 1e-6, "rdp", 5.2215),
        (Loss.of(Pure(0.3), 4), 1e-6, "basic", 1.2),
        (Loss.of(Concentrated(0.5)), 1e-6, "zcdp", 5.2215),
        (Loss.of(Concentrated(0.5)), 1e-6, "gdp", math.inf),
        (Loss.of(Concentrated(0.5)), 1e-6, "pld", 5.2215),
        (Loss.of(Gaussian(1.0)), 1e-6, "basic", math.inf),
        (Loss.of(Renyi((2.0,), (0.1,))), 1e-6, "zcdp", math.inf),
        (INFINITE, 1e-6, "rdp", math.inf),
    ],
)
def test_known_values(loss: Loss, target: float, accountant: str, expected: float) -> None:
    assert epsilon(loss, target, accountant) == pytest.approx(expected, rel=2e-5)


@pytest.mark.parametrize("rho", [1e-4, 0.02, 0.5, 8.0])
@pytest.mark.parametrize("target", [1e-12, 1e-6, 1e-2])
def test_zcdp_is_better_than_the_textbook_formula_and_not_below_the_truth(rho: float, target: float) -> None:
    value = epsilon(Loss.of(Concentrated(rho)), target, "zcdp")
    assert value < rho + 2 * math.sqrt(rho * math.log(1 / target))
    assert value >= epsilon(Loss.of(Gaussian(math.sqrt(2 * rho))), target, "gdp")


@pytest.mark.parametrize("order", [1.5, 2.0, 7.0, 32.0])
def test_rdp_conversion_at_one_order(order: float) -> None:
    """The statement itself, at the only order the event knows: no other order may be used."""
    loss, target = Loss.of(Renyi((order,), (0.3,))), 1e-5
    by_hand = 0.3 + math.log1p(-1 / order) - (math.log(target) + math.log(order)) / (order - 1)
    assert epsilon(loss, target, "rdp") == pytest.approx(by_hand, rel=1e-9)
    back = delta(loss, by_hand, "rdp")
    assert back == pytest.approx(target, rel=1e-6)


@pytest.mark.parametrize("accountant", ["zcdp", "rdp", "gdp", "pld"])
@pytest.mark.parametrize("eps", [0.0, 0.1, 1.0, 4.0])
def test_delta_and_epsilon_are_inverse(accountant: str, eps: float) -> None:
    loss = compose(Loss.of(Gaussian(0.8)), Loss.of(Laplace(0.2), 3))
    at = delta(loss, eps, accountant)
    assert 0 < at < 1
    assert epsilon(loss, at, accountant) == pytest.approx(eps, abs=2e-3)
    assert epsilon(loss, 1.0, accountant) == 0.0


@settings(max_examples=30)
@given(st.floats(0.05, 2.0), st.floats(0.05, 2.0), st.sampled_from(ACCOUNTANTS))
def test_more_loss_never_costs_less(one: float, two: float, accountant: str) -> None:
    small, large = compose(Loss.of(Laplace(one))), compose(Loss.of(Laplace(one)), Loss.of(Pure(two)))
    assert epsilon(large, 1e-6, accountant) >= epsilon(small, 1e-6, accountant) * (1 - 1e-4)
    assert epsilon(small, 1e-7, accountant) >= epsilon(small, 1e-5, accountant) * (1 - 1e-4)


def test_own_delta_is_paid_from_the_total() -> None:
    loss = Loss.of(Gaussian(1.0), delta=4e-7)
    assert epsilon(loss, 1e-6, "gdp") == pytest.approx(
        epsilon(Loss.of(Gaussian(1.0)), 6e-7 / (1 - 4e-7), "gdp"), rel=1e-12
    )
    assert math.isinf(epsilon(loss, 4e-7, "gdp"))
    assert math.isinf(epsilon(loss, 1e-7, "gdp"))
    assert delta(loss, 3.0, "gdp") == pytest.approx(
        4e-7 + (1 - 4e-7) * delta(Loss.of(Gaussian(1.0)), 3.0, "gdp"), rel=1e-12
    )
    pure = Loss.of(Pure(1.0), delta=1e-6)
    assert epsilon(pure, 1e-6, "basic") == 1.0
    assert math.isinf(epsilon(pure, 0.99e-6, "basic"))
    assert math.isinf(epsilon(pure, 1e-6, "rdp"))
    assert delta(pure, 1.0, "basic") == pytest.approx(1e-6, rel=1e-15)
    assert delta(pure, 0.5, "basic") == 1.0


def test_tightest_names_its_accountant() -> None:
    assert tightest_epsilon(Loss.of(Gaussian(1.0)), 1e-6)[1] == "gdp"
    assert tightest_epsilon(Loss.of(Pure(1.0)), 1e-300)[1] == "basic"
    assert tightest_epsilon(Loss.of(Laplace(0.1), 200), 1e-6)[1] == "pld"
    assert tightest_epsilon(compose(Loss.of(Laplace(0.1), 200), Loss.of(Concentrated(0.1))), 1e-6)[1] == "rdp"
    assert tightest_epsilon(Loss.of(Gaussian(1.0)), 1e-6, ("basic", "zcdp"))[1] == "zcdp"
    assert tightest_epsilon(INFINITE, 1e-6) == (math.inf, "none")
    assert tightest_epsilon(ZERO, 1e-6) == (0.0, "basic")
    assert applicable(Loss.of(Gaussian(1.0))) == ("zcdp", "rdp", "gdp")
    assert applicable(INFINITE) == ()


def test_sums_are_exact_and_round_up() -> None:
    assert repeat(Loss.of(Pure(0.5)), 2).epsilon == 1.0
    third = repeat(Loss.of(Pure(0.1)), 3).epsilon
    assert third >= 0.30000000000000004
    assert Loss.of(Gaussian(3.0), 16).mu == 12.0
    assert 1 - (1 - 1e-9) ** 1000 <= compose(*[Loss.of(Pure(1.0), delta=1e-9)] * 1000).delta <= 1e-6


@pytest.mark.parametrize("bad", [-1e-9, math.nan, True, "1e-6", None])
def test_bad_arguments_are_refused(bad: object) -> None:
    with pytest.raises(LossError):
        epsilon(Loss.of(Gaussian(1.0)), bad, "gdp")  # type: ignore[arg-type]
    with pytest.raises(LossError):
        delta(Loss.of(Gaussian(1.0)), bad, "gdp")  # type: ignore[arg-type]


def test_unknown_accountant_is_refused() -> None:
    with pytest.raises(LossError, match="moments"):
        epsilon(ZERO, 1e-6, "moments")


BUDGETS: list[tuple[Budget, Loss, Loss]] = [
    (PureDP(1.0), Loss.of(Pure(0.25), 4), Loss.of(Pure(0.26), 4)),
    (PureDP(1.0), Loss.of(DiscreteLaplace(1, 1.0)), Loss.of(Pure(1.0), delta=1e-12)),
    (PureDP(1.0), ZERO, Loss.of(Gaussian(0.01))),
    (ApproxDP(1.0, 1e-6), Loss.of(Gaussian(0.236)), Loss.of(Gaussian(0.237))),
    (ApproxDP(1.0, 1e-6), Loss.of(Pure(1.0), delta=1e-6), Loss.of(Pure(1.0), delta=1.1e-6)),
    (ApproxDP(1.0, 1e-6), Loss.of(Laplace(0.05), 20), INFINITE),
    (ZCDP(0.5), Loss.of(Gaussian(1.0)), Loss.of(Gaussian(1.0000001))),
    (ZCDP(0.5), Loss.of(Concentrated(0.25), 2), Loss.of(Concentrated(0.25), 2, delta=1e-9)),
    (GDP(5.0), Loss.of(Gaussian(1.0), 25), Loss.of(Gaussian(1.0), 26)),
    (GDP(5.0), Loss.of(Pure(1.0)), Loss.of(Concentrated(0.1))),
]


@pytest.mark.parametrize(("budget", "fits", "exceeds"), BUDGETS)
def test_budgets(budget: Budget, fits: Loss, exceeds: Loss) -> None:
    good, bad = verdict(budget, fits), verdict(budget, exceeds)
    assert good.holds
    assert not bad.holds
    assert all(isinstance(value, float) for value in good.spent.values())
    again = budget_from_json(json.loads(json.dumps(budget.to_json())))
    assert again == budget == Budget.from_json(budget.to_json())


@pytest.mark.parametrize("build", [PureDP, ZCDP, GDP, lambda v: ApproxDP(v, 1e-6), lambda v: ApproxDP(1.0, v)])
@pytest.mark.parametrize("bad", [0.0, -1.0, math.inf, math.nan, True, "1", None])
def test_impossible_budgets_are_refused(build: object, bad: object) -> None:
    with pytest.raises(LossError):
        build(bad)  # type: ignore[operator]


def test_delta_budget_must_be_below_one() -> None:
    with pytest.raises(LossError):
        ApproxDP(1.0, 1.0)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"type": "approx_dp", "epsilon": 1.0},
        {"type": "approx_dp", "epsilon": 1.0, "delta": 0},
        {"type": "pure_dp", "epsilon": "inf"},
        {"type": "pure_dp", "epsilon": True},
        {"type": "pure_dp", "epsilon": 1.0, "delta": 1e-6},
        {"type": "exec", "epsilon": 1.0},
    ],
)
def test_malformed_budgets_are_refused(data: object) -> None:
    with pytest.raises(CertificateError):
        budget_from_json(data)


def test_amplification_is_not_better_than_the_sampled_mechanism(rng: np.random.Generator) -> None:
    """Randomised response on one sampled row of n: the exact loss of revealing the sampled row's answer.

    Under a fixed-size subset and replace-one, the changed row is in the sample with probability p, so the law
    of the answer is (1-p) A + p P against (1-p) A + p Q; with A = Q the ratio is 1 + p (e^eps - 1) exactly.
    """
    eps, p = 1.3, 0.2
    high, low = math.exp(eps) / (1 + math.exp(eps)), 1 / (1 + math.exp(eps))
    ratio = math.log(((1 - p) * low + p * high) / low)
    assert amplify(Loss.of(Pure(eps)), p).epsilon == pytest.approx(ratio, rel=1e-12)
    assert amplify(Loss.of(Pure(eps)), p).epsilon >= ratio * (1 - 1e-15)


@pytest.mark.parametrize("length", [2**10, 2**14, 2**18])
def test_transform_error_bound_has_room(length: int, rng: np.random.Generator) -> None:
    """The bound on the round-off of a transform, against extended precision at some frequencies."""
    if np.finfo(np.longdouble).eps >= np.finfo(np.float64).eps:
        pytest.skip("no extended precision here")
    masses = np.exp(-rng.exponential(5, length) * np.linspace(0, 4, length))
    masses /= masses.sum()
    got = np.fft.rfft(masses)
    index = np.arange(length)
    for k in (1, 7, length // 5, length // 3, length // 2 - 1):
        angle = ((index * k) % length).astype(np.longdouble) * (8 * np.arctan(np.longdouble(1)) / length)
        exact = complex((masses * np.cos(angle)).sum(), -(masses * np.sin(angle)).sum())
        assert abs(got[k] - exact) < fft_error(length) / 10


def test_import_is_light() -> None:
    heavy = ("scipy.special", "scipy.stats", "pandas")
    code = f"import sys, dpframe.proof.losses; print([m for m in {heavy!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_worst_of_budget_shares_is_one_price() -> None:
    """A partition's two allocations: one part sees both edits, or two parts see one each."""
    both = compose(Loss.of(Gaussian(0.2)), Loss.of(DiscreteLaplace(1, 20.0)))
    split = compose(Loss.of(Gaussian(0.1), 2), Loss.of(DiscreteLaplace(1, 20.0), 2))
    node = worst(both, split)
    for name in ("zcdp", "rdp", "gdp", "pld"):
        each = max(epsilon(both, 1e-6, name), epsilon(split, 1e-6, name))
        assert each * (1 - 1e-4) <= epsilon(node, 1e-6, name) <= each * 1.1


ANY = st.floats(0.0, allow_nan=False, allow_infinity=True)


@settings(max_examples=100)
@given(
    st.lists(
        st.tuples(
            st.one_of(
                st.builds(Gaussian, ANY),
                st.builds(Laplace, ANY),
                st.builds(Pure, ANY),
                st.builds(BoundedRange, ANY),
                st.builds(Concentrated, ANY),
                st.builds(DiscreteLaplace, st.integers(0, 2**80), st.floats(5e-324, 1e308)),
                st.builds(lambda a, v: Renyi((a,), (v,)), st.floats(1.0000001, 1e308), ANY),
            ),
            st.integers(1, 2**62),
        ),
        max_size=3,
    ),
    st.floats(5e-324, 1.0),
    st.floats(0.0, 1e308),
)
def test_extreme_parameters_give_numbers(pairs: list[tuple[Event, int]], target: float, eps: float) -> None:
    """No hang, no warning, no nan anywhere in the range of floats."""
    loss = Loss(tuple(pairs))
    assert not any(math.isnan(view) for view in (loss.epsilon, loss.rho, loss.mu))
    for name in ACCOUNTANTS:
        assert epsilon(loss, target, name) >= 0
        assert 0 <= delta(loss, eps, name) <= 1
    for event, _ in pairs:
        values = event.profile(np.array([-1e308, -1.0, 0.0, 1e-300, 1.0, 1e308]))
        assert values is None or bool(np.all((values >= 0) & (values <= 1)))
