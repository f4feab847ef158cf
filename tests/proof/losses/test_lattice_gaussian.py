"""Discrete Gaussian noise on one number against sums of 60 digits, on known lattices and on any."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpframe.planning.discrete_events import DiscreteGaussian, exact_profile
from dpframe.proof.losses import (
    Concentrated,
    LatticeGaussian,
    Loss,
    LossError,
    epsilon,
    lattice_gaussian,
    tightest_epsilon,
)
from tests.proof.losses import exact


def masses(scale: float) -> tuple[dict[int, mpf], mpf]:
    reach = int(40 * scale) + 40
    weights = {k: mpmath.exp(-(mpf(k) ** 2) / (2 * mpf(scale) ** 2)) for k in range(-reach, reach + 1)}
    return weights, mpmath.fsum(weights.values())


def true_profile(shift: int, scale: float, x: float) -> mpf:
    """The largest over the shifts, from the definition: a sum of positive parts, without thresholds."""
    weights, total = masses(scale)
    grown = mpmath.exp(mpf(x))
    return max(
        mpmath.fsum(max(w - grown * weights.get(k - s, mpf(0)), mpf(0)) for k, w in weights.items()) / total
        for s in range(shift + 1)
    )


def profile(event: DiscreteGaussian | LatticeGaussian, x: float) -> tuple[float, float]:
    bounds = event.enclosure(np.array([x]))
    assert bounds is not None
    return float(bounds[0][0]), float(bounds[1][0])


POINTS = [
    (s, t, x) for s, t in ((1, 0.4), (1, 1.0), (1, 3.7), (2, 5.0), (4, 2.5), (7, 11.0)) for x in (-1.3, 0.0, 0.31, 2.0)
]


@pytest.mark.parametrize(("shift", "scale", "x"), POINTS)
def test_a_known_lattice_is_exact(shift: int, scale: float, x: float) -> None:
    with mpmath.workdps(exact.DIGITS):
        true = true_profile(shift, scale, x)
        low, high = profile(DiscreteGaussian(shift, scale), x)
        assert low <= true <= high
        assert high <= true * (1 + mpf(10) ** -9) + mpf(10) ** -290


@pytest.mark.parametrize("x", [0.02, 0.3, 0.9])
@pytest.mark.parametrize("shift", [1, 2, 5])
@pytest.mark.parametrize("ratio", [0.25, 0.6, 1.0])
def test_any_lattice_is_covered(ratio: float, shift: int, x: float) -> None:
    """Also lattices on which the sensitivity is no whole number of steps."""
    bound = profile(LatticeGaussian(ratio), x)[1]
    for looser in (1.0, 1.17, 1.43):
        scale = shift / ratio * looser
        with mpmath.workdps(30):
            assert true_profile(shift, scale, x) <= bound


def test_the_bound_falls_short_without_its_bend(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken twin: the continuous profile is too small on a coarse lattice."""
    monkeypatch.setattr(lattice_gaussian, "bend", lambda mu: 0.0)
    found = [profile(LatticeGaussian(1.0), x)[1] / float(true_profile(1, 1.0, x)) for x in np.linspace(0.1, 6, 40)]
    assert min(found) < 0.95


def test_larger_shifts_are_not_always_worse() -> None:
    """Why the supremum is taken: at some x a shift of 1 costs more than one of 2 on a lattice of equal ratio."""
    xs = np.linspace(0.0, 3.0, 200)
    one, two = (np.asarray(exact_profile(s, 0.8 * s, xs)[1]) for s in (1, 2))
    assert (one > two * 1.01).any()
    assert (two > one * 1.01).any()


@pytest.mark.parametrize("mu", [1.0, 2.0])
def test_bend_covers_the_variation_of_the_slope(mu: float) -> None:
    """Extrema on a grid so fine that it misses less than 1e-6 of them; the slope's is half the total variation."""
    v = np.arange(0.0, 12.0, 1e-4)
    slope = (1 + mu / 2 * v - v * v) * np.exp(mu / 2 * v - v * v / 2)
    assert (slope.max() - slope.min()) / 8 + 1e-6 <= lattice_gaussian.bend(mu)
    assert abs(np.diff(slope)).sum() + 1 == pytest.approx(2 * (slope.max() - slope.min()), rel=1e-6)


def test_the_bound_is_one_convex_profile() -> None:
    """κη²(1 + μ²/4) <= 1 makes the bound convex in exp(x), as a dominating pair needs."""
    assert lattice_gaussian.bend(1.0) * 1.25 <= 1
    assert lattice_gaussian.bend(2.0) / 32**2 * 2 <= 1
    xs = np.log(np.linspace(0.01, 60, 4001))
    values = np.asarray(lattice_gaussian.fine_profile(1.0, 1.0, xs)[1])
    assert (np.diff(values, 2) >= -1e-13).all()


@pytest.mark.parametrize("times", [1, 30])
@pytest.mark.parametrize("target", [1e-2, 1e-6])
@pytest.mark.parametrize(("shift", "scale"), [(1, 2.0), (2, 20.0), (3, 150.0)])
def test_compositions_are_sharper_than_zcdp(shift: int, scale: float, target: float, times: int) -> None:
    event = DiscreteGaussian(shift, scale)
    ours, name = tightest_epsilon(Loss.of(event, times), target)
    any_lattice = tightest_epsilon(Loss.of(LatticeGaussian(event.span), times), target)[0]
    zcdp = epsilon(Loss.of(Concentrated(event.rho), times), target, "zcdp")
    assert name == "pld"
    assert ours <= any_lattice * (1 + 1e-3)  # each is its own grid's upper bound
    assert any_lattice <= zcdp
    assert ours <= 0.97 * zcdp


@pytest.mark.parametrize(("shift", "scale", "times"), [(1, 1.0, 3), (2, 3.0, 2)])
def test_small_compositions_against_the_exact_sum(shift: int, scale: float, times: int) -> None:
    """Where every shift of the composition is the largest one: never below it, and near."""
    k = np.arange(-60, 61)
    weights = np.exp(-0.5 * (k / scale) ** 2)
    loss, mass = shift * (shift - 2 * k) / (2 * scale * scale), weights / weights.sum()
    losses, law = np.zeros(1), np.ones(1)
    for _ in range(times):
        losses = (losses[:, None] + loss[None]).ravel()
        law = (law[:, None] * mass[None]).ravel()
    for eps in (0.5, 1.5, 3.0):
        true = float((law * np.maximum(-np.expm1(eps - losses), 0)).sum())
        found = epsilon(Loss.of(DiscreteGaussian(shift, scale), times), true, "pld")
        assert eps * (1 - 1e-6) <= found <= eps * 1.05


def test_vectors_of_coarse_noise_have_only_zcdp() -> None:
    for event in (DiscreteGaussian(100, 10.0), LatticeGaussian(1.1)):
        assert not event.dominated
        assert event.enclosure(np.array([1.0])) is None
        assert math.isfinite(epsilon(Loss.of(event), 1e-6, "pld"))  # Rényi's


def test_span_is_rounded_up() -> None:
    event = DiscreteGaussian(1, 3.0)
    assert Fraction(event.span) >= Fraction(1, 3)
    assert event.rho >= 1 / 18


@pytest.mark.parametrize("build", [lambda: DiscreteGaussian(1, 0.0), lambda: DiscreteGaussian(-1, 1.0)])
def test_refusals(build: object) -> None:
    with pytest.raises(LossError):
        build()  # type: ignore[operator]
