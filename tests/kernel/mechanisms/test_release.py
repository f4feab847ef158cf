"""What mechanisms release: moments, exact tails and exact laws; frequencies at a false-alarm rate of 1e-6 or less."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpframe.kernel.mechanisms.above_threshold import AboveThreshold
from dpframe.kernel.mechanisms.additive import lattice_scale
from dpframe.kernel.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, lattice_rate
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.losses import tightest_epsilon
from dpframe.proof.spaces import L1, L2, Counts, LInf, Symmetric, Vector
from tests.kernel.mechanisms.laws import laplace_pmf

DRAWS = 4000
Z = 5.2  # two-sided 2e-7 for a standard normal


def named(value: Any) -> str:
    return str(getattr(value, "name", ""))


def vector(values: list[int], bits: int = 0) -> Exact:
    return Exact(np.array(values, dtype=np.int64), Fraction(1, 2**bits))


# --------------------------------------------------------------------------------- additive noise

ADDITIVE = [
    (GaussianMechanism(share=1.0), {"sigma": 3.0}, 0, 9.0),
    (GaussianMechanism(share=1.0), {"sigma": 0.25}, 10, 0.0625),
    (DiscreteGaussianMechanism(share=1.0), {"sigma": 3.0}, 0, 9.0),
    (LaplaceMechanism(share=1.0), {"scale": 2.0}, 12, 8.0),
]


@pytest.mark.parametrize(
    ("mechanism", "calibration", "bits", "variance"), ADDITIVE, ids=lambda v: getattr(v, "name", "")
)
def test_noise_is_centred_and_as_wide_as_planned(
    mechanism: Mechanism, calibration: dict[str, float], bits: int, variance: float
) -> None:
    exact = vector([2**bits * 5] * DRAWS, bits)
    released = mechanism.release(exact, calibration, Vector(DRAWS), SeededSource(1).child("noise"))
    noise = np.asarray(released) - 5.0
    assert abs(noise.mean()) < Z * math.sqrt(variance / DRAWS)
    kurtosis = 6.0 if isinstance(mechanism, LaplaceMechanism) else 3.0
    slack = Z * math.sqrt((kurtosis - 1) / DRAWS)
    assert abs(noise.var() / variance - 1) < slack
    # the broken twins: two thirds and three halves of the right scale are caught
    for wrong in (2 / 3, 3 / 2):
        twin = mechanism.release(
            exact, {k: v * wrong for k, v in calibration.items()}, Vector(DRAWS), SeededSource(1).child("noise")
        )
        assert abs((np.asarray(twin) - 5.0).var() / variance - 1) > slack


def test_released_values_stay_on_the_lattice_of_the_statistic() -> None:
    exact = vector([3, -7, 11], bits=6)
    released = GaussianMechanism(share=1.0).release(exact, {"sigma": 2.0}, Vector(3), SeededSource(2).child("n"))
    assert np.array_equal(released * 64, np.round(released * 64))


def test_wide_integers_are_released_exactly() -> None:
    exact = Exact(np.array([2**80, -(2**90)], dtype=object), Fraction(1, 2**20))
    released = LaplaceMechanism(share=1.0).release(exact, {"scale": 1.0}, Vector(2), SeededSource(3).child("n"))
    assert released == pytest.approx([2.0**60, -(2.0**70)], rel=1e-12)


def test_symmetric_noise_is_isometric() -> None:
    """σ on the diagonal, σ/√2 off it, symmetric; all k matrices at once."""
    sigma, d, k = 40.0, 3, 700
    exact = Exact(np.zeros((k, d, d), dtype=np.int64))
    released = GaussianMechanism(share=1.0).release(
        exact, {"sigma": sigma}, Symmetric(d, k), SeededSource(4).child("n")
    )
    assert np.array_equal(released, np.swapaxes(released, 1, 2))
    diagonal = released[:, range(d), range(d)].ravel()
    above = released[:, *np.triu_indices(d, 1)].ravel()
    slack = Z * math.sqrt(2 / diagonal.size)
    assert abs(diagonal.var() / sigma**2 - 1) < slack
    assert abs(above.var() / (sigma**2 / 2) - 1) < slack
    assert abs(above.var() / sigma**2 - 1) > slack  # the twin with σ everywhere


# ----------------------------------------------------------------------------------------- selections


def frequencies(draw: Callable[[int], Any], size: int, draws: int = DRAWS) -> np.ndarray[Any, Any]:
    counts = np.zeros(size)
    for i in range(draws):
        outcome = draw(i)
        counts[-1 if outcome is None else outcome] += 1
    return counts


def agree(counts: np.ndarray[Any, Any], law: np.ndarray[Any, Any]) -> bool:
    """Chi-square at a false-alarm rate of 1e-7."""
    expected = law * counts.sum()
    keep = expected > 5
    statistic = float(((counts[keep] - expected[keep]) ** 2 / expected[keep]).sum())
    return statistic < stats.chi2.isf(1e-7, max(int(keep.sum()) - 1, 1))


def test_exponential_mechanism_follows_its_law() -> None:
    scores, rate = [0, 3, 5, 4], 0.5
    law = np.exp(rate * np.array(scores))
    law /= law.sum()

    def draw(i: int) -> Any:
        source = SeededSource(5).child(str(i))
        return ExponentialMechanism(share=1.0).release(vector(scores), {"rate": rate}, Counts(4), source)

    counts = frequencies(draw, 4)
    assert agree(counts, law)
    twin = np.exp(2 * rate * np.array(scores))
    assert not agree(counts, twin / twin.sum())


def test_permute_and_flip_follows_its_law() -> None:
    scores, rate = [0, 1, 2], 0.7
    flips = np.exp(rate * (np.array(scores) - max(scores)))
    law = np.zeros(3)
    orders = [(a, b, c) for a in range(3) for b in range(3) for c in range(3) if len({a, b, c}) == 3]
    for order in orders:
        left = 1.0
        for j in order:
            law[j] += left * flips[j] / len(orders)
            left *= 1 - flips[j]

    def draw(i: int) -> Any:
        source = SeededSource(6).child(str(i))
        return PermuteAndFlip(share=1.0).release(vector(scores), {"rate": rate}, Counts(3), source)

    counts = frequencies(draw, 3)
    assert agree(counts, law)
    assert not agree(counts, np.exp(rate * np.array(scores)) / np.exp(rate * np.array(scores)).sum())


@pytest.mark.parametrize("rate", [0.3, 1.0, 2.0])
@pytest.mark.parametrize("scores", [[4, 2, 7], [0, 0, 0]])
def test_bounded_range_of_the_exponential_mechanism(rate: float, scores: list[int]) -> None:
    """All log-probability ratios lie in an interval of length 2·rate·Δ."""
    theorem = ExponentialMechanism(share=1.0)
    claimed = theorem.loss({"rate": rate}, (LInf(1.0),), Counts(3)).epsilon
    for step in np.ndindex(3, 3, 3):
        other = np.array(scores) + np.array(step) - 1
        a, b = np.exp(rate * np.array(scores)), np.exp(rate * other)
        ratios = np.log(a / a.sum()) - np.log(b / b.sum())
        assert ratios.max() - ratios.min() <= claimed * (1 + 1e-12)
        assert np.abs(ratios).max() <= claimed * (1 + 1e-12)


@pytest.mark.parametrize("rate", [0.3, 2.0])
def test_permute_and_flip_is_as_private_as_claimed(rate: float) -> None:
    claimed = PermuteAndFlip(share=1.0).loss({"rate": rate}, (LInf(1.0),), Counts(3)).epsilon

    def law(scores: Any) -> Any:
        flips, out = np.exp(rate * (np.array(scores) - max(scores))), np.zeros(3)
        for order in itertools.permutations(range(3)):
            left = 1.0
            for j in order:
                out[j] += left * flips[j] / 6
                left *= 1 - flips[j]
        return out

    worst = max(
        float(np.abs(np.log(law(scores) / law(np.array(scores) + np.array(step) - 1))).max())
        for scores in ([4, 2, 7], [0, 0, 0])
        for step in np.ndindex(3, 3, 3)
    )
    assert 0.5 * claimed < worst <= claimed * (1 + 1e-12)


@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 2**20), Fraction(1, 300**2), Fraction(1, 7)])
@pytest.mark.parametrize("rate", [0.1, 1.0, 1e-9, 12345.678])
def test_rates_and_scales_on_odd_lattices_are_rounded_to_the_safe_side(step: Fraction, rate: float) -> None:
    assert Fraction(lattice_rate(rate, step)) <= Fraction(rate) * step
    assert lattice_rate(rate, step) == pytest.approx(rate * float(step))
    assert Fraction(lattice_scale(rate, step)) >= Fraction(rate) / step


def first_above(scores: list[int], bar: int, rate: float, reach: int = 260) -> np.ndarray[Any, Any]:
    """The law of the index of the first score above, None last."""
    z = np.arange(-reach, reach + 1)
    threshold, noise = laplace_pmf(2 / rate, reach), laplace_pmf(4 / rate, reach)
    tail = np.concatenate([np.cumsum(noise[::-1])[::-1], [0.0]])
    still, law = threshold.copy(), []
    for score in scores:
        passing = tail[np.clip(bar + z - score + reach, 0, 2 * reach + 1)]
        law.append(float((still * passing).sum()))
        still = still * (1 - passing)
    return np.array([*law, float(still.sum())])


def test_above_threshold_follows_its_law() -> None:
    scores, rate, bar = [1, 4, 3], 1.0, 4
    mechanism = AboveThreshold(share=1.0, threshold=float(bar))

    def draw(i: int) -> Any:
        return mechanism.release(vector(scores), {"rate": rate}, Counts(3), SeededSource(7).child(str(i)))

    counts = frequencies(draw, 4)
    assert agree(counts, first_above(scores, bar, rate))
    assert not agree(counts, first_above(scores, bar, rate * 1.5))


@pytest.mark.parametrize("rate", [0.5, 1.0, 3.0])
def test_above_threshold_is_as_private_as_claimed(rate: float) -> None:
    """The exact law of the index on neighbouring scores: no ratio above e^ε, whatever moves by one."""
    claimed = AboveThreshold(share=1.0, threshold=2.0).loss({"rate": rate}, (LInf(1.0),), Counts(3)).epsilon
    worst = 0.0
    for scores in ([0, 1, 2], [2, 2, 2], [5, 0, 5]):
        for step in np.ndindex(3, 3, 3):
            other = [s + int(i) - 1 for s, i in zip(scores, step, strict=True)]
            a, b = first_above(scores, 2, rate), first_above(other, 2, rate)
            worst = max(worst, float(np.abs(np.log(a / b)).max()))
    assert worst <= claimed * (1 + 1e-9)
    assert worst > 0.3 * claimed  # a claim three times smaller would be caught


# ------------------------------------------------------------------------------------------ calibration

CALIBRATED = [
    (GaussianMechanism(share=1.0), Vector(2), (L2(3.0),), lambda rho: ("mu", math.sqrt(2 * rho))),
    (DiscreteGaussianMechanism(share=1.0), Vector(2), (L2(3.0),), lambda rho: ("rho", rho)),
    (LaplaceMechanism(share=1.0), Vector(2), (L1(3.0),), lambda rho: ("epsilon", math.sqrt(2 * rho))),
    (AboveThreshold(share=1.0, threshold=0.0), Counts(2), (LInf(3.0),), lambda rho: ("epsilon", math.sqrt(2 * rho))),
    (ExponentialMechanism(share=1.0), Counts(2), (LInf(3.0),), lambda rho: ("epsilon", math.sqrt(8 * rho))),
    (PermuteAndFlip(share=1.0), Counts(2), (LInf(3.0),), lambda rho: ("epsilon", math.sqrt(2 * rho))),
]


@pytest.mark.parametrize(
    ("mechanism", "domain", "metrics", "expected"), CALIBRATED, ids=lambda v: getattr(v, "name", "")
)
@pytest.mark.parametrize("rho", [1e-6, 0.02, 3.0])
def test_a_share_buys_its_rho(mechanism: Mechanism, domain: Any, metrics: Any, expected: Any, rho: float) -> None:
    loss = mechanism.loss(mechanism.calibrate(rho, 0.0, metrics, domain), metrics, domain)
    view, value = expected(rho)
    assert getattr(loss, view) == pytest.approx(value, rel=1e-12)
    half = tuple(type(m)(m.bound / 2) for m in metrics)
    assert tightest_epsilon(mechanism.loss(mechanism.calibrate(rho, 0.0, metrics, domain), half, domain), 1e-6)[0] < (
        tightest_epsilon(loss, 1e-6)[0] + 1e-15
    )
