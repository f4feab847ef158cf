"""Every view of every event against a direct computation of the definition."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe.planning.discrete_events import DiscreteLaplace
from dpframe.proof.losses import (
    BoundedRange,
    Concentrated,
    Event,
    Gaussian,
    Laplace,
    Pure,
    Renyi,
    Worst,
)
from dpframe.proof.losses._numeric import FloatArray
from dpframe.proof.losses.gaussian import gaussian_delta, gaussian_epsilon, gaussian_profile
from tests.proof.losses.profiles import profile

ORDERS = np.array([1.001, 1.1, 1.5, 2.0, 3.5, 10.0, 40.0])
POINTS = np.array([-3.0, -1.0, -0.4, -0.1, 0.0, 0.05, 0.1, 0.3, 0.49, 0.5, 0.7, 1.0, 1.9, 2.5])


def discrete_pair(shift: int, scale: float) -> tuple[FloatArray, FloatArray]:
    k = np.arange(-int(60 * scale) - shift, int(60 * scale) + 2 * shift + 1)
    norm = -math.expm1(-1 / scale) / (1 + math.exp(-1 / scale))
    return norm * np.exp(-np.abs(k) / scale), norm * np.exp(-np.abs(k - shift) / scale)


def hockey_stick(p: FloatArray, q: FloatArray, eps: FloatArray) -> FloatArray:
    return np.array([np.maximum(p - math.exp(x) * q, 0).sum() for x in eps])


def divergence(p: FloatArray, q: FloatArray, orders: FloatArray) -> FloatArray:
    return np.array([math.log(np.sum(np.exp(a * np.log(p) + (1 - a) * np.log(q)))) / (a - 1) for a in orders])


@pytest.mark.parametrize(("shift", "scale"), [(1, 2.0), (1, 0.3), (2, 4.0), (3, 1.7), (7, 5.3), (40, 30.0)])
def test_discrete_laplace_is_the_exact_pair(shift: int, scale: float) -> None:
    event, (p, q) = DiscreteLaplace(shift, scale), discrete_pair(shift, scale)
    got = event.profile(POINTS)
    exact = np.maximum(hockey_stick(p, q, POINTS), hockey_stick(q, p, POINTS))
    np.testing.assert_allclose(got, exact, rtol=1e-9, atol=1e-13)
    assert np.all(got >= exact * (1 - 1e-12) - 1e-14)
    np.testing.assert_allclose(event.rdp(ORDERS), divergence(p, q, ORDERS), rtol=1e-9, atol=1e-11)
    assert event.epsilon == pytest.approx(shift / scale, rel=1e-15)


def thresholds(p: FloatArray, q: FloatArray, eps: FloatArray) -> FloatArray:
    """The best of many tests with given error probabilities: a lower bound of the profile."""
    return np.array([np.max(p - math.exp(x) * q) for x in eps])


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 2.0])
def test_laplace_profile(epsilon: float) -> None:
    t = np.linspace(-1, epsilon + 1, 200_001)
    cdf = lambda v: np.where(v < 0, np.exp(np.minimum(v, 0)) / 2, 1 - np.exp(-np.maximum(v, 0)) / 2)  # noqa: E731
    below = np.append(cdf(t), 1.0), np.append(cdf(t - epsilon), 1.0)
    exact = np.maximum(thresholds(*below, POINTS), 0)
    got = Laplace(epsilon).profile(POINTS)
    assert np.all(got >= exact - 1e-15)
    np.testing.assert_allclose(got, exact, atol=1e-9)


def two_points(t: float, epsilon: float) -> tuple[FloatArray, FloatArray]:
    q = (math.exp(-t) - math.exp(-epsilon)) / -math.expm1(-epsilon)
    return np.array([math.exp(t) * q, 1 - math.exp(t) * q]), np.array([q, 1 - q])


@pytest.mark.parametrize("epsilon", [0.05, 0.6, 2.0])
def test_bounded_range_is_the_worst_two_point_pair(epsilon: float) -> None:
    event, ts = BoundedRange(epsilon), np.linspace(1e-9, epsilon - 1e-9, 2001)
    pairs = [two_points(t, epsilon) for t in ts]
    both = [*pairs, *[(q, p) for p, q in pairs]]
    exact = np.max([hockey_stick(p, q, POINTS) for p, q in both], axis=0)
    got = event.profile(POINTS)
    assert np.all(got >= exact - 1e-13)
    np.testing.assert_allclose(got, exact, atol=1e-6)
    rdp = np.max([divergence(p, q, ORDERS) for p, q in both], axis=0)
    assert np.all(event.rdp(ORDERS) >= rdp - 1e-12)
    np.testing.assert_allclose(event.rdp(ORDERS), rdp, rtol=1e-4)
    assert np.all(event.rdp(ORDERS) <= ORDERS * epsilon**2 / 8 * (1 + 1e-12))


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 5.0])
def test_pure_is_randomised_response(epsilon: float) -> None:
    p = np.array([1.0, math.exp(-epsilon)]) / (1 + math.exp(-epsilon))
    np.testing.assert_allclose(Pure(epsilon).profile(POINTS), hockey_stick(p, p[::-1], POINTS), atol=1e-14)
    with mpmath.workdps(40):
        e = mpmath.mpf(epsilon)
        exact = [float(mpmath.log(mpmath.cosh((a - 0.5) * e) / mpmath.cosh(e / 2)) / (a - 1)) for a in ORDERS.tolist()]
    got = Pure(epsilon).rdp(ORDERS)
    np.testing.assert_allclose(got, exact, rtol=1e-8)
    assert np.all(got >= np.array(exact) * (1 - 1e-15))


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 5.0, 60.0])
def test_laplace_rdp(epsilon: float) -> None:
    with mpmath.workdps(60):
        e = mpmath.mpf(epsilon)
        exact = np.array(
            [
                float(mpmath.log((a * mpmath.exp((a - 1) * e) + (a - 1) * mpmath.exp(-a * e)) / (2 * a - 1)) / (a - 1))
                for a in map(mpmath.mpf, ORDERS.tolist())
            ]
        )
        kl = float(e - 1 + mpmath.exp(-e))
    got = Laplace(epsilon).rdp(ORDERS)
    assert np.all(got >= exact * (1 - 1e-15))
    np.testing.assert_allclose(got, exact, rtol=1e-5)
    assert kl <= Laplace(epsilon).rho <= kl * (1 + 1e-9)


EVENTS: list[Event] = [
    Gaussian(0.7),
    Laplace(0.5),
    Pure(0.5),
    BoundedRange(0.5),
    DiscreteLaplace(3, 6.0),
    DiscreteLaplace(2**60, 2.0**61),
    DiscreteLaplace(1000, 2000.0),
    Worst(((Gaussian(0.5),), (Pure(0.3),))),
    Worst(((Gaussian(0.5), Pure(0.1)), (Pure(0.3), Pure(0.2)))),
]


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_profile_is_a_privacy_profile(event: Event) -> None:
    """Decreasing, at least 1 - e^x, convex in e^x, symmetric, and within what pure DP and GDP allow."""
    alpha = np.linspace(0.02, 6, 400)
    values = profile(event, np.log(alpha))
    assert values is not None
    assert np.all(np.diff(values) <= 1e-13)
    assert np.all(values >= 1 - alpha - 1e-13)
    assert np.all(np.diff(values, 2) >= -1e-12)
    within = 1e-6 if event.alternatives else 1e-7  # those are put on a lattice
    x = np.linspace(-2, 2, 81)
    both = profile(event, x)
    np.testing.assert_allclose(both[::-1], 1 - np.exp(-x) + np.exp(-x) * both, atol=1e-8)
    assert np.all(values <= np.array([gaussian_delta(event.mu, math.log(v)) for v in alpha.tolist()]) + within)
    if math.isfinite(event.epsilon):
        assert profile(event, np.array([event.epsilon * (1 + 1e-12)]))[0] <= 1e-12


@pytest.mark.parametrize("event", EVENTS, ids=repr)
def test_views_agree_with_each_other(event: Event) -> None:
    """The Rényi curve is below the zCDP line and below epsilon, and does not decrease."""
    curve = event.rdp(ORDERS)
    assert np.all(curve <= ORDERS * event.rho * (1 + 1e-12))
    assert np.all(curve <= event.epsilon * (1 + 1e-12))
    assert np.all(np.diff(curve) >= -1e-15)


def test_huge_lattice_is_the_continuous_mechanism() -> None:
    discrete, continuous = DiscreteLaplace(2**60, 2.0**61), Laplace(0.5)
    np.testing.assert_allclose(discrete.profile(POINTS), continuous.profile(POINTS), rtol=1e-13)
    np.testing.assert_allclose(discrete.rdp(ORDERS), continuous.rdp(ORDERS), rtol=1e-12)


@given(st.integers(1, 9), st.integers(1, 9), st.floats(0.4, 8.0), st.floats(-4.0, 4.0))
def test_one_shift_is_the_worst_way_to_spend_an_l1_sensitivity(s: int, t: int, b: float, x: float) -> None:
    """Two coordinates shifted by s and t cost no more than one shifted by s + t (docs/theory/losses.md, 2.3)."""
    one, two = (discrete_pair(shift, b) for shift in (s, t))
    p, q = (np.outer(one[side], two[side]).ravel() for side in (0, 1))
    apart = np.maximum(p - math.exp(x) * q, 0).sum()
    whole = DiscreteLaplace(s + t, b).profile(np.array([x]))
    assert whole is not None
    assert apart <= whole[0] + 1e-12


@pytest.mark.parametrize("mu", [1e-9, 1e-5, 1e-2, 0.3, 1.0, 4.0, 12.0, 60.0])
def test_gaussian_profile_against_high_precision(mu: float) -> None:
    tail = lambda v: mpmath.erfc(v / mpmath.sqrt(2)) / 2  # noqa: E731
    for ratio in (-3.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0, 20.0):
        eps = mu * ratio + (mu * mu / 2 if ratio >= 1 else 0.0)
        with mpmath.workdps(60):
            m, e = mpmath.mpf(mu), mpmath.mpf(eps)
            exact = tail(e / m - m / 2) - mpmath.exp(e) * tail(e / m + m / 2)
            got = mpmath.mpf(gaussian_delta(mu, eps))
            assert exact <= got
            assert got <= exact * (1 + 1e-9) + 1e-13


@pytest.mark.parametrize("mu", [1e-3, 0.1, 1.0, 3.0, 30.0])
@pytest.mark.parametrize("delta", [1e-15, 1e-9, 1e-6, 1e-2, 0.3])
def test_gaussian_epsilon_is_never_below_and_tight(mu: float, delta: float) -> None:
    eps = gaussian_epsilon(mu, delta)
    tail = lambda v: mpmath.erfc(v / mpmath.sqrt(2)) / 2  # noqa: E731
    with mpmath.workdps(60):
        at = lambda e: tail(e / mu - mpmath.mpf(mu) / 2) - mpmath.exp(e) * tail(e / mu + mpmath.mpf(mu) / 2)  # noqa: E731
        assert at(mpmath.mpf(eps)) <= delta
        if eps > 0:
            assert at(mpmath.mpf(eps) * (1 - mpmath.mpf(10) ** -9)) > delta


def test_renyi_interpolation_is_an_upper_bound() -> None:
    true = Laplace(1.3)
    orders = (1.5, 2.0, 4.0, 16.0)
    event = Renyi(orders, tuple(true.rdp(np.array(orders)).tolist()))
    between = np.linspace(1.001, 16, 300)
    assert np.all(event.rdp(between) >= true.rdp(between) - 1e-12)
    np.testing.assert_allclose(event.rdp(np.array(orders)), true.rdp(np.array(orders)), rtol=1e-12)
    assert np.all(np.isinf(event.rdp(np.array([16.01, 100.0]))))
    assert event.profile(POINTS) is None
    assert Renyi((2.0, 3.0), (5.0, 1.0)).rdp(np.array([2.0]))[0] == 1.0


def test_concentrated_has_only_zcdp() -> None:
    event = Concentrated(0.5)
    assert event.rho == 0.5
    assert math.isinf(event.epsilon)
    assert math.isinf(event.mu)
    assert event.profile(POINTS) is None
    np.testing.assert_allclose(event.rdp(ORDERS), 0.5 * ORDERS)


@pytest.mark.parametrize(
    "event", [Pure(math.inf), Gaussian(math.inf), Laplace(math.inf), BoundedRange(math.inf)], ids=repr
)
def test_infinite_events(event: Event) -> None:
    assert math.isinf(event.epsilon)
    assert math.isinf(event.rho)
    assert math.isinf(event.mu)
    assert np.all(np.isinf(event.rdp(ORDERS)))
    assert np.all(event.profile(POINTS) == 1)


@pytest.mark.parametrize("event", [Pure(0), Gaussian(0), Laplace(0), BoundedRange(0), DiscreteLaplace(0, 1)], ids=repr)
def test_events_that_cost_nothing(event: Event) -> None:
    assert (event.epsilon, event.rho, event.mu) == (0, 0, 0)
    assert np.all(event.rdp(ORDERS) == 0)
    np.testing.assert_allclose(event.profile(POINTS), np.maximum(1 - np.exp(POINTS), 0), atol=1e-15)


def test_halved_noise_is_caught() -> None:
    """A profile computed for twice the noise scale is below the exact one: the comparisons above would fail."""
    p, q = discrete_pair(4, 5.0)
    wrong = DiscreteLaplace(4, 10.0).profile(POINTS)
    assert np.any(wrong < hockey_stick(p, q, POINTS) - 1e-2)


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 4.0, 12.0])
@pytest.mark.parametrize("kind", [Laplace, BoundedRange, Pure])
def test_gdp_parameter_is_valid_and_exact(kind: type[Event], epsilon: float) -> None:
    """The profile lies below the Gaussian one everywhere, and not below that of a slightly smaller mu."""
    event = kind(epsilon)  # type: ignore[call-arg]
    x = np.linspace(-epsilon, epsilon, 401)
    below = event.profile(x)
    assert below is not None
    assert np.all(below <= gaussian_profile(event.mu, x)[1] * (1 + 1e-12))
    assert np.any(below > gaussian_profile(event.mu * 0.9999, x)[1])
