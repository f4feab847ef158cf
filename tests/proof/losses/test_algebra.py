"""Laws of composition and of the worst allocation, and the JSON form of losses."""

from __future__ import annotations

import json
import math
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpframe.errors import CertificateError
from dpframe.planning.booked_events import booked_loss
from dpframe.planning.discrete_events import DiscreteLaplace
from dpframe.proof.losses import (
    ZERO,
    BoundedRange,
    Concentrated,
    Event,
    Gaussian,
    Laplace,
    Loss,
    LossError,
    Pure,
    Renyi,
    Worst,
    amplify,
    compose,
    loss_from_json,
    worst,
)
from tests.proof.losses.repeated import repeat

ORDERS = np.array([1.01, 1.5, 2.0, 3.0, 10.0, 64.0])

INFINITE = Loss.of(Pure(math.inf))


def events() -> st.SearchStrategy[Event]:
    size = st.floats(0.0, 5.0)
    return st.one_of(
        st.builds(Gaussian, size),
        st.builds(Laplace, size),
        st.builds(Pure, size),
        st.builds(BoundedRange, size),
        st.builds(Concentrated, size),
        st.builds(DiscreteLaplace, st.integers(0, 2**60), st.floats(0.5, 2.0**61)),
        st.builds(Renyi, st.just((2.0, 3.0, 64.0)), st.tuples(size, size, size)),
    )


def losses(leaf: st.SearchStrategy[Event] | None = None) -> st.SearchStrategy[Loss]:
    pair = st.tuples(leaf if leaf is not None else events(), st.integers(1, 5))
    simple = st.builds(Loss, st.lists(pair, max_size=4).map(tuple), st.floats(0, 0.1))
    return st.one_of(simple, st.lists(simple, min_size=1, max_size=3).map(lambda few: worst(*few)))


def views(loss: Loss) -> list[float]:
    return [loss.epsilon, loss.rho, loss.mu, loss.delta, *loss.rdp(ORDERS).tolist()]


def at_least(big: Loss, small: Loss, slack: float = 1e-9) -> bool:
    return all(b >= s * (1 - slack) - 1e-15 for b, s in zip(views(big), views(small), strict=True))


@given(losses(), losses(), losses())
def test_compose_is_commutative_and_associative(a: Loss, b: Loss, c: Loss) -> None:
    assert compose(a, b) == compose(b, a)
    assert hash(compose(a, b)) == hash(compose(b, a))
    left, right = compose(compose(a, b), c), compose(a, compose(b, c))
    assert left.events == right.events
    assert left.delta == pytest.approx(right.delta, rel=2e-14)
    assert compose(a, ZERO) == a
    assert compose() == ZERO


@given(losses(), losses())
def test_compose_is_monotone(a: Loss, b: Loss) -> None:
    assert at_least(compose(a, b), a)
    assert repeat(a, 3).events == compose(a, a, a).events
    assert repeat(a, 0) == ZERO


@given(losses(), losses())
def test_worst_is_at_least_each_and_at_most_both(a: Loss, b: Loss) -> None:
    w = worst(a, b)
    assert at_least(w, a)
    assert at_least(w, b)
    assert at_least(compose(a, b), w)
    assert w == worst(b, a)
    assert worst(a).events == worst(a, a).events


@given(losses())
def test_json_round_trip(loss: Loss) -> None:
    assert booked_loss(json.loads(json.dumps(loss.to_json(), allow_nan=False))) == loss


def test_infinite_loss_is_representable() -> None:
    assert loss_from_json(json.loads(json.dumps(INFINITE.to_json(), allow_nan=False))) == INFINITE
    assert not INFINITE.finite
    assert not compose(INFINITE, Loss.of(Gaussian(1.0))).finite


@pytest.mark.parametrize(
    ("alternatives", "expected"),
    [
        ((Gaussian(1.0), Gaussian(2.0)), Loss.of(Gaussian(2.0))),
        ((Gaussian(1.0), Gaussian(1.0)), Loss.of(Gaussian(1.0))),
        ((Laplace(1.0), Pure(1.0), BoundedRange(1.0)), Loss.of(Pure(1.0))),
    ],
)
def test_worst_collapses(alternatives: tuple[Event, ...], expected: Loss) -> None:
    assert worst(*map(Loss.of, alternatives)) == expected


def test_worst_collapses_compositions() -> None:
    assert worst(Loss.of(Gaussian(2.0)), Loss.of(Gaussian(1.0), 2)) == Loss.of(Gaussian(2.0))
    assert worst(Loss.of(Pure(1.0)), Loss.of(Pure(1.0), 2)) == Loss.of(Pure(1.0), 2)
    kept = worst(Loss.of(Gaussian(1.0)), Loss.of(Laplace(1.0)))
    assert kept == Loss.of(Worst(((Gaussian(1.0),), (Laplace(1.0),))))
    assert worst(kept, Loss.of(Gaussian(2.0))) == Loss.of(Worst(((Gaussian(2.0),), (Laplace(1.0),))))


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"events": []},
        {"events": [], "delta": True},
        {"events": [], "delta": -1e-9},
        {"events": [], "delta": math.nan},
        {"events": [], "delta": "inf"},
        {"events": [], "delta": 0.0, "more": 1},
        {"events": {}, "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": 1.0}]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": 1.0}, 0]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": 1.0}, True]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": 1.0}, 1.0]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": 1.0}, 2**70]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": -1.0}, 1]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": False}, 1]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": math.nan}, 1]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": "1"}, 1]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": None}, 1]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": 10**400}, 1]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "sigma": 1.0}, 1]], "delta": 0.0},
        {"events": [[{"type": "gaussian", "mu": 1.0, "x": 1}, 1]], "delta": 0.0},
        {"events": [[{"type": "os.system", "mu": 1.0}, 1]], "delta": 0.0},
        {"events": [[{"type": ["gaussian"], "mu": 1.0}, 1]], "delta": 0.0},
        {"events": [[{"type": "discrete_laplace", "shift": 1.0, "scale": 1.0}, 1]], "delta": 0.0},
        {"events": [[{"type": "discrete_laplace", "shift": 1, "scale": 0.0}, 1]], "delta": 0.0},
        {"events": [[{"type": "discrete_laplace", "shift": 1, "scale": "inf"}, 1]], "delta": 0.0},
        {"events": [[{"type": "renyi", "orders": [2.0, 2.0], "values": [1.0, 1.0]}, 1]], "delta": 0.0},
        {"events": [[{"type": "renyi", "orders": [1.0], "values": [1.0]}, 1]], "delta": 0.0},
        {"events": [[{"type": "renyi", "orders": [2.0], "values": []}, 1]], "delta": 0.0},
        {"events": [[{"type": "renyi", "orders": "23", "values": [1.0, 2.0]}, 1]], "delta": 0.0},
        {"events": [[{"type": "worst", "alternatives": []}, 1]], "delta": 0.0},
        {
            "events": [[{"type": "worst", "alternatives": [[{"type": "pure", "epsilon": 1.0}]]}, 1]],
            "delta": 0.0,
        },
    ],
)
def test_malformed_json_is_refused(data: object) -> None:
    with pytest.raises(CertificateError):
        loss_from_json(data)


def test_deep_and_large_json_is_refused() -> None:
    event: dict[str, object] = {"type": "pure", "epsilon": 1.0}
    for _ in range(70):
        event = {"type": "worst", "alternatives": [[[event, 1]]]}
    with pytest.raises(CertificateError, match="deep"):
        loss_from_json({"events": [[event, 1]], "delta": 0.0})
    many = [[{"type": "pure", "epsilon": 1.0}, 1]] * 100_001
    with pytest.raises(CertificateError, match="more than"):
        loss_from_json({"events": many, "delta": 0.0})


@pytest.mark.parametrize(
    "build",
    [
        lambda: Gaussian(-1.0),
        lambda: Gaussian(math.nan),
        lambda: Gaussian(True),
        lambda: Gaussian("1"),
        lambda: DiscreteLaplace(1.5, 1.0),
        lambda: DiscreteLaplace(-1, 1.0),
        lambda: Loss.of(Gaussian(1.0), delta=math.inf),
        lambda: Loss.of(Gaussian(1.0), times=-1),
        lambda: Loss((("gaussian", 1),), 0.0),
        lambda: Worst(()),
        worst,
        lambda: amplify(Loss.of(Gaussian(1.0)), 0.5),
        lambda: amplify(Loss.of(Pure(1.0)), 0.0),
        lambda: amplify(Loss.of(Pure(1.0)), 1.5),
        lambda: Gaussian(1.0).rdp(np.array([1.0])),
    ],
)
def test_impossible_values_are_refused(build: object) -> None:
    with pytest.raises(LossError):
        build()  # type: ignore[operator]


@settings(max_examples=50)
@given(st.floats(1e-9, 50.0), st.floats(1e-9, 1.0), st.floats(0, 1e-3))
def test_amplification_is_the_formula_and_never_below(eps: float, rate: float, delta: float) -> None:
    got = amplify(Loss.of(Pure(eps), delta=delta), rate)
    exact = math.log1p(rate * math.expm1(eps))
    assert exact * (1 - 1e-14) <= got.epsilon <= exact * (1 + 1e-13) + 1e-15
    assert rate * delta <= got.delta <= delta


@settings(max_examples=100)
@given(st.lists(st.floats(1e-9, 0.9), min_size=1, max_size=5), st.floats(1e-6, 1.0), st.integers(1, 10**6))
def test_items_that_draw_a_sample_each_fail_with_no_more_than_their_loop_is_charged(
    deltas: list[float], rate: float, items: int
) -> None:
    def kept(share: float) -> Any:
        return mpmath.fprod(1 - mpmath.mpf(delta) * share for delta in deltas)

    with mpmath.workdps(60):
        rate_there, share = mpmath.mpf(rate), 1 / mpmath.mpf(items)
        failing = 1 - (1 - rate_there + rate_there * kept(share)) ** items
        body = compose(*(Loss.of(Pure(0.1), delta=delta) for delta in deltas))
        assert failing <= amplify(body, rate, shared=True).delta


def test_a_share_of_the_sample_s_own_failure_is_too_little_for_many_items() -> None:
    """Of five mechanisms: p·δ, what one item with all of δ is charged, is less than many items may fail with."""
    body = compose(*[Loss.of(Pure(0.1), delta=0.1)] * 5)
    failing = 1 - (1 - 0.1 + 0.1 * (1 - 0.1 / 1000) ** 5) ** 1000
    assert amplify(body, 0.1).delta < 0.9 * failing < failing <= amplify(body, 0.1, shared=True).delta
    certain = amplify(Loss.of(Pure(0.1), delta=1.0), 0.5, shared=True)
    assert certain.delta == 1.0
    assert amplify(Loss.of(Pure(0.1)), 0.5, shared=True).delta == 0.0
