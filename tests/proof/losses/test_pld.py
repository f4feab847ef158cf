"""The numerical composer against exact sums, against lower bounds made by other code, and against dp-accounting."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpframe.planning.deltas import delta
from dpframe.planning.discrete_events import DiscreteLaplace
from dpframe.proof.losses import (
    ACCOUNTANTS,
    BoundedRange,
    Concentrated,
    Event,
    Gaussian,
    Laplace,
    Loss,
    Pure,
    Worst,
    compose,
    epsilon,
    pld,
    tightest_epsilon,
    worst,
)
from tests.proof.losses.optimistic import optimistic_epsilon
from tests.proof.losses.profiles import profile
from tests.proof.losses.repeated import repeat
from tests.steps import within

H = 2.0**-12


def lattice(rng: np.random.Generator, low: float, high: float, count: int) -> list[float]:
    return [int(v) * H for v in rng.integers(round(low / H), round(high / H), count)]


def many(rng: np.random.Generator, kinds: dict[type, int], low: float, high: float) -> Loss:
    parts = [Loss.of(kind(e)) for kind, count in kinds.items() for e in lattice(rng, low, high, count)]
    return compose(*parts)


def exact_delta(parts: list[tuple[np.ndarray, np.ndarray]], eps: float) -> float:
    """Sum over all outcomes of a product of pairs given by losses and probabilities."""
    total = 0.0
    for combination in itertools.product(*[range(len(losses)) for losses, _ in parts]):
        loss = sum(losses[i] for i, (losses, _) in zip(combination, parts, strict=True))
        mass = math.prod(weights[i] for i, (_, weights) in zip(combination, parts, strict=True))
        total += mass * max(0.0, -math.expm1(eps - loss))
    return total


def response(eps: float) -> tuple[np.ndarray, np.ndarray]:
    return np.array([eps, -eps]), np.array([1.0, math.exp(-eps)]) / (1 + math.exp(-eps))


@pytest.mark.parametrize(
    "events",
    [
        [Pure(0.3), Pure(0.7)],
        [DiscreteLaplace(3, 7.0), DiscreteLaplace(2, 3.3), Pure(0.41)],
        [DiscreteLaplace(9, 13.0), DiscreteLaplace(9, 31.0), DiscreteLaplace(1, 2.9)],
        [DiscreteLaplace(1, 10.0)] * 8,
    ],
)
@pytest.mark.parametrize("eps", [0.0, 0.05, 0.2, 0.45, 0.8])
def test_small_compositions_against_the_exact_sum(events: list[Event], eps: float) -> None:
    loss = compose(*map(Loss.of, events))
    exact = exact_delta([event.atoms() for event in events], eps)  # type: ignore[misc]
    got = delta(loss, eps, "pld")
    assert got >= exact * (1 - 1e-13)
    assert got <= exact * 1.01 + 1e-5
    if exact > 0:
        answer = epsilon(loss, exact, "pld")
        assert eps * (1 - 1e-12) <= answer <= eps * 1.005 + 1e-4


@pytest.mark.parametrize(("eps", "times"), [(0.1, 100), (0.03, 3000), (1.0, 12)])
@pytest.mark.parametrize("target", [1e-3, 1e-6, 1e-12, 1e-30])
def test_repeated_response_against_the_binomial_sum(eps: float, times: int, target: float) -> None:
    answer = min(epsilon(Loss.of(Pure(eps), times), target, "pld"), times * eps)  # at 1e-30 only the sum is left
    ks = np.arange(times + 1)
    log_choose = np.array([math.lgamma(times + 1) - math.lgamma(k + 1) - math.lgamma(times - k + 1) for k in ks])
    mass = np.exp(log_choose + (times - ks) * eps - times * math.log1p(math.exp(eps)))
    losses = (times - 2 * ks) * eps

    def at(x: float) -> float:
        above = losses > x
        return float(np.sum(mass[above] * -np.expm1(x - losses[above])))

    assert at(answer) <= target * (1 + 1e-9)
    assert at(answer * (1 - 2e-4) - 1e-9) > target


@pytest.mark.parametrize("mu", [0.05, 1.0, 5.0])
@pytest.mark.parametrize("target", [1e-3, 1e-6, 1e-10])
def test_gaussians_alone_against_the_closed_form(mu: float, target: float) -> None:
    exact = epsilon(Loss.of(Gaussian(mu)), target, "gdp")
    numeric = pld.epsilon(Loss.of(Gaussian(mu)).events, target)
    assert exact * (1 - 1e-12) <= numeric <= exact * 1.001
    assert epsilon(Loss.of(Gaussian(mu)), target, "pld") == exact
    assert tightest_epsilon(Loss.of(Gaussian(mu)), target) == (exact, "gdp")


CASES: dict[str, dict[type, int]] = {
    "laplace": {Laplace: 60},
    "mixed": {Laplace: 20, Gaussian: 20, Pure: 10, BoundedRange: 10},
    "few": {Laplace: 1, Gaussian: 1},
    "bounded range": {BoundedRange: 40},
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("target", [1e-3, 1e-6])
def test_between_the_optimistic_bound_and_half_a_percent_more(
    case: str, target: float, rng: np.random.Generator
) -> None:
    loss = many(rng, CASES[case], 0.05, 0.3)
    low = optimistic_epsilon(loss, target, H, 2**17)
    answer = pld.pair_epsilon(loss.events, target)  # the accountant may be below what the pairs of ranges cost
    assert low <= answer <= 1.005 * low
    assert epsilon(loss, target, "pld") == min(answer, epsilon(loss, target, "rdp"))


def test_halved_noise_is_caught(rng: np.random.Generator) -> None:
    """A plan priced with twice the noise it has falls below the optimistic bound, so the test above sees it."""
    loss = many(rng, {Laplace: 20, Pure: 20}, 0.05, 0.3)
    wrong = compose(*[Loss.of(type(event)(event.epsilon / 2), times) for event, times in loss.events])  # type: ignore[call-arg]
    assert epsilon(wrong, 1e-6, "pld") < 0.7 * optimistic_epsilon(loss, 1e-6, H, 2**17)


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [{Laplace: 500, Gaussian: 500}, {Laplace: 1000}], ids=repr)
def test_a_thousand_mechanisms(kinds: dict[type, int], rng: np.random.Generator) -> None:
    loss = many(rng, kinds, 0.02, 0.1)
    low = optimistic_epsilon(loss, 1e-6, H, 2**18)
    answer = within(1_000_000, lambda: epsilon(loss, 1e-6, "pld"))
    assert low <= answer <= 1.005 * low


def test_choosing_by_an_earlier_outcome_costs_more_than_either_choice() -> None:
    """Composing allocations and then taking the larger result is wrong (docs/theory/losses.md, 2.6).

    After a randomised response with epsilon 1, its outcome chooses between a second response (epsilon 1) and
    "reveal with probability 1/4".
    """
    losses, weights = response(1.0)
    eps = 1.5
    again = exact_delta([response(1.0), response(1.0)], eps)
    reveal = 0.25 + 0.75 * max(0.0, exact_delta([response(1.0)], eps))
    assert again == pytest.approx(0.210, abs=5e-4)
    assert reveal == pytest.approx(0.250, abs=5e-4)
    adaptive = sum(
        float(weight)
        * max(exact_delta([response(1.0)], eps - float(loss)), 0.25 + 0.75 * max(0.0, -math.expm1(eps - loss)))
        for loss, weight in zip(losses, weights, strict=True)
    )
    assert adaptive == pytest.approx(0.278, abs=5e-4)
    node = worst(Loss.of(Pure(1.0)), Loss.of(Pure(0.0), delta=0.25))
    ours = delta(compose(Loss.of(Pure(1.0)), node), eps, "pld")
    assert ours >= adaptive > max(again, reveal)


PAIR = (Loss.of(Pure(2.0)), Loss.of(BoundedRange(3.0)))  # their profiles cross


@pytest.mark.parametrize("eps", [0.0, 0.5, 1.0, 1.5, 2.0, 2.8])
def test_worst_is_the_choice_made_after_seeing_the_first_outcome(eps: float) -> None:
    first = Loss.of(Pure(0.5))
    losses, weights = response(0.5)
    exact = sum(
        float(weight) * max(float(option.events[0][0].profile(np.array([eps - loss]))[0]) for option in PAIR)  # type: ignore[index]
        for loss, weight in zip(losses, weights, strict=True)
    )
    got = delta(compose(first, worst(*PAIR)), eps, "pld")
    assert exact * (1 - 1e-12) <= got <= exact * 1.005 + 1e-9


def test_composing_before_taking_the_worst_is_too_small() -> None:
    first, eps = Loss.of(Pure(0.5)), 1.5
    node = delta(compose(first, worst(*PAIR)), eps, "pld")
    wrong = max(delta(compose(first, option), eps, "pld") for option in PAIR)
    assert wrong < 0.86 * node


@pytest.mark.parametrize("times", [1, 3])
def test_worst_of_compositions_is_at_least_each(times: int) -> None:
    one = compose(Loss.of(Gaussian(1.0)), Loss.of(DiscreteLaplace(10, 20.0)))
    two = compose(Loss.of(Gaussian(0.5), 2), Loss.of(DiscreteLaplace(10, 20.0), 2), Loss.of(Pure(0.6)))
    node = worst(one, two)
    assert isinstance(node.events[0][0], Worst)
    for target in (1e-2, 1e-5, 1e-9):
        each = [epsilon(repeat(loss, times), target, "pld") for loss in (one, two)]
        got = epsilon(repeat(node, times), target, "pld")
        assert got >= max(each) * (1 - 1e-5)
        assert got <= epsilon(repeat(compose(one, two), times), target, "pld")
    found = profile(node.events[0][0], np.array([0.0, 1.0, 3.0]))
    exact = [max(delta(loss, x, "pld") for loss in (one, two)) for x in (0.0, 1.0, 3.0)]
    np.testing.assert_allclose(found, exact, rtol=1e-4)  # type: ignore[arg-type]


def test_nested_worst() -> None:
    inner = worst(*PAIR)
    outer = worst(compose(inner, Loss.of(Laplace(0.1))), compose(Loss.of(Gaussian(0.3), 4), Loss.of(Pure(0.2))))
    assert isinstance(outer.events[0][0], Worst)
    value = epsilon(outer, 1e-6, "pld")
    assert epsilon(compose(inner, Loss.of(Laplace(0.1))), 1e-6, "pld") * (1 - 1e-5) <= value < math.inf


def test_the_renyi_bound_is_answered_where_there_is_no_dominating_pair() -> None:
    loss = compose(Loss.of(Concentrated(0.1)), Loss.of(Laplace(0.1)))
    assert epsilon(loss, 1e-6, "pld") == epsilon(loss, 1e-6, "rdp") < math.inf
    assert delta(loss, 9.0, "pld") == delta(loss, 9.0, "rdp") < 1e-6
    assert math.isinf(epsilon(Loss.of(Pure(math.inf)), 1e-6, "pld"))


def test_refused_where_round_off_is_too_large() -> None:
    """The composer gives up rather than adding more than 1 % of delta."""
    loss = Loss.of(Pure(1e-9), 10**18)
    assert math.isinf(pld.pair_epsilon(loss.events, 1e-6))
    assert epsilon(loss, 1e-6, "pld") == epsilon(loss, 1e-6, "rdp")


@pytest.mark.parametrize("eps", [60.0, 95.0, 650.0])
def test_where_the_composer_gives_up_the_renyi_bound_is_answered(eps: float) -> None:
    loss = compose(Loss.of(Laplace(1.0), 1000), Loss.of(Pure(0.5), 300))
    assert delta(loss, eps, "pld") <= delta(loss, eps, "rdp") <= 1
    assert delta(Loss.of(Pure(1e-9), 10**18), 12.0, "pld") <= 1e-27


@settings(max_examples=40)
@given(
    st.lists(
        st.one_of(
            st.builds(Laplace, st.floats(1e-4, 2)),
            st.builds(Pure, st.floats(1e-4, 2)),
            st.builds(BoundedRange, st.floats(1e-4, 2)),
            st.builds(Gaussian, st.floats(1e-3, 2)),
            st.builds(DiscreteLaplace, st.integers(1, 300), st.floats(50, 1000)),
        ),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([1e-2, 1e-6, 1e-10]),
)
def test_profile_and_inverse_agree_and_stay_below_the_other_accountants(events: list[Event], target: float) -> None:
    loss = compose(*map(Loss.of, events))
    value = epsilon(loss, target, "pld")
    assert value <= loss.epsilon * 1.001 + 1e-4
    if not any(isinstance(event, BoundedRange) for event in events):  # whose pair is loose in composition
        assert value <= epsilon(loss, target, "rdp") * 1.001 + 1e-4
    more = epsilon(compose(loss, Loss.of(Laplace(0.5))), target, "pld")
    assert more >= value * (1 - 1e-3) - 1e-5
    if 0 < value < 0.99 * loss.epsilon:  # next to the pure epsilon the lattice is coarse
        assert delta(loss, value, "pld") <= target * 1.5


def test_bisection_on_a_common_factor_is_quick() -> None:
    def plan(factor: float) -> Loss:
        parts = [Loss.of(Laplace(0.01 * factor * i)) for i in range(1, 8)]
        parts += [Loss.of(Gaussian(0.01 * factor * i)) for i in range(1, 8)]
        parts += [Loss.of(DiscreteLaplace(10**6 + i, 1e8 / factor)) for i in range(3)]
        parts += [
            worst(compose(Loss.of(Gaussian(0.1 * factor)), Loss.of(Laplace(0.1 * factor))), Loss.of(Pure(0.3 * factor)))
        ]
        return compose(*parts)

    def bisect() -> float:
        low, high = 0.0, 8.0
        for _ in range(36):
            middle = (low + high) / 2
            low, high = (low, middle) if tightest_epsilon(plan(middle), 1e-6)[0] > 1.0 else (middle, high)
        return low

    low = within(5_000_000, bisect)
    assert tightest_epsilon(plan(low), 1e-6)[0] == pytest.approx(1.0, abs=1e-8)


def oracle(loss: Loss, pessimistic: bool, interval: float) -> object:
    distribution = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    total = None
    for event, times in loss.events:
        options = {
            "pessimistic_estimate": pessimistic,
            "value_discretization_interval": interval,
            "use_connect_dots": pessimistic,
        }
        if isinstance(event, Gaussian):
            part = distribution.from_gaussian_mechanism(1 / event.mu, **options)
        elif isinstance(event, Laplace):
            part = distribution.from_laplace_mechanism(1 / event.epsilon, **options)
        elif isinstance(event, DiscreteLaplace):
            part = distribution.from_discrete_laplace_mechanism(1 / event.scale, event.shift, **options)
        else:
            del options["use_connect_dots"]
            part = distribution.from_randomized_response(2 / (1 + math.exp(event.epsilon)), 2, **options)
        part = part.self_compose(times) if times > 1 else part
        total = part if total is None else total.compose(part)
    return total


@pytest.mark.parametrize(
    "loss",
    [
        compose(Loss.of(Laplace(0.4), 5), Loss.of(Gaussian(0.3))),
        compose(Loss.of(Laplace(0.31)), Loss.of(Gaussian(0.5)), Loss.of(Pure(0.22), 3)),
        compose(Loss.of(DiscreteLaplace(3, 17.0), 10), Loss.of(Laplace(0.07), 20)),
        Loss.of(Gaussian(0.2), 30),
    ],
    ids=lambda loss: "-".join(event.kind for event, _ in loss.events),
)
@pytest.mark.parametrize("target", [1e-3, 1e-6])
def test_against_dp_accounting(loss: Loss, target: float) -> None:
    interval = 1e-3
    ours = tightest_epsilon(loss, target)[0]
    above = oracle(loss, True, interval).get_epsilon_for_delta(target)  # type: ignore[attr-defined]
    below = oracle(loss, False, interval).get_epsilon_for_delta(target)  # type: ignore[attr-defined]
    assert below <= ours <= above * (1 + 1e-4)


def test_all_accountants_agree_on_nothing() -> None:
    for name in ACCOUNTANTS:
        assert epsilon(Loss(()), 1e-6, name) == 0
        assert delta(Loss(()), 0.0, name) == 0
