"""What mechanisms release: moments, exact tails and exact laws; frequencies at a false-alarm rate of 1e-6 or less."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpframe.kernel.mechanisms.above_threshold import AboveThreshold
from dpframe.kernel.mechanisms.additive import lattice_scale
from dpframe.kernel.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.mechanisms.selection import ExponentialMechanism, PermuteAndFlip, lattice_rate
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.kernel.mechanisms.truncated_laplace_gate import TruncatedLaplaceTest
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.losses import tightest_epsilon
from dpframe.proof.spaces import L1, L2, Counts, LInf, OneSided, SparseCounts, Symmetric, Vector
from dpframe.proof.theorems import histogram_threshold

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


# ------------------------------------------------------------------------------- above a threshold


def laplace_pmf(scale: float, reach: int) -> np.ndarray[Any, Any]:
    z = np.arange(-reach, reach + 1)
    pmf = np.exp(-np.abs(z) / scale)
    return pmf * (1 - math.exp(-1 / scale)) / (1 + math.exp(-1 / scale))


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


# ----------------------------------------------------------------------------------- stable histograms


@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-12])
@pytest.mark.parametrize("m", [1, 7, 64])
@pytest.mark.parametrize("scale", [0.4, 3.0, 50.0])
@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_threshold_is_the_least_with_the_exact_tail(noise: str, scale: float, m: int, delta: float) -> None:
    """m·P(1 + Z > τ) <= δ, and τ − 1 would not do, by scipy's tails."""
    threshold = histogram_threshold(noise, scale, m, delta)

    def tail(above: int) -> float:
        if noise == "gaussian":  # round(σN) > a iff σN > a + 1/2
            return float(stats.norm.sf((above + 0.5) / (scale * math.sqrt(m))))
        q = mpmath.exp(-1 / mpmath.mpf(scale * m))  # scipy's discrete Laplace cancels in its tail
        return float(q ** (above + 1) / (1 + q))

    assert m * tail(threshold - 1) <= delta * (1 + 1e-9)
    assert threshold == 2 or m * tail(threshold - 2) > delta * (1 - 1e-9)


def test_threshold_of_the_continuous_formula_is_too_low() -> None:
    """docs/theory/notation.md: at ε = 1, publishing from τ = 1 + b·ln(1/2δ) on overshoots δ by 1.25 times."""
    b, tau = 2.0, 27
    delta = 0.5 * math.exp(-(tau - 1) / b)
    assert float(stats.dlaplace.sf(tau - 2, 1 / b)) / delta == pytest.approx(1.245, abs=1e-3)
    assert histogram_threshold("laplace", b, 1, delta) >= tau  # published above it, not at it


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_only_bins_above_the_threshold_are_published_and_sorted_ids_kept(noise: str) -> None:
    mechanism = StableHistogram(share=1.0, noise=noise, delta_fraction=0.1)
    ids = np.array([[0, 1], [2, 2], [5, 0]])
    exact = Exact([(ids, np.array([1, 500, 900])), (ids[:1], np.array([1]))])
    calibration = {"scale": 2.0, "delta": 1e-6}
    released = mechanism.release(exact, calibration, SparseCounts(2, 4), SeededSource(8).child("h"))
    assert len(released) == 4  # a table a level, empty ones where fewer were asked for
    assert [r.ids.tolist() for r in released] == [[[2, 2], [5, 0]], [], [], []]
    assert all((r.counts > r.threshold).all() for r in released)


def test_noise_follows_the_released_number_of_histograms() -> None:
    """m of at most 9 histograms: scale √m, and the threshold with it."""
    mechanism = StableHistogram(share=1.0, delta_fraction=0.1)
    one = (np.zeros((1, 1), dtype=np.int64), np.array([10_000]))
    for m in (1, 4, 9):
        released = mechanism.release(
            Exact([one] * m), {"scale": 3.0, "delta": 1e-6}, SparseCounts(1, 9), SeededSource(9).child("h")
        )
        assert released[0].scale == pytest.approx(3.0 * math.sqrt(m))
        assert released[0].threshold == histogram_threshold("gaussian", 3.0, m, 1e-6)


def test_no_histogram_at_all() -> None:
    released = StableHistogram(share=1.0, delta_fraction=0.1).release(
        Exact([]), {"scale": 3.0, "delta": 1e-6}, SparseCounts(1, 3), SeededSource(9).child("h")
    )
    assert [len(r.ids) for r in released] == [0, 0, 0]


def test_stable_histogram_is_as_private_as_claimed() -> None:
    """A row leaves a bin of one for a bin of five: the exact hockey-stick divergence, Laplace noise."""
    b, delta = 3.0, 1e-3
    mechanism = StableHistogram(share=1.0, noise="laplace", delta_fraction=0.1)
    metrics = (L1(2.0), L2(math.sqrt(2)), LInf(1.0), OneSided(1.0))
    loss = mechanism.loss({"scale": b, "delta": delta}, metrics, SparseCounts(1, 1))
    tau = histogram_threshold("laplace", b, 1, delta)
    reach = 400
    z = np.arange(-reach, reach + 1)
    pmf = laplace_pmf(b, reach)

    def published(count: int) -> np.ndarray[Any, Any]:
        """Law of a bin's published value, not published last."""
        values = np.zeros(2 * reach + 20)
        for noise, p in zip(z, pmf, strict=True):
            at = count + noise
            values[at if at > tau else -1] += p
        return values

    absent = np.zeros(2 * reach + 20)
    absent[-1] = 1.0
    p = np.outer(published(1), published(5)).ravel()
    q = np.outer(absent, published(6)).ravel()
    for epsilon in (0.0, 0.2, loss.epsilon):
        for one, other in ((p, q), (q, p)):
            exact = float(np.maximum(one - math.exp(epsilon) * other, 0).sum())
            claimed = loss.delta + (1 - loss.delta) * float(loss.events[0][0].profile(np.array([epsilon]))[0])  # type: ignore[index]
            assert exact <= claimed * (1 + 1e-9)
    assert np.maximum(p - math.exp(loss.epsilon) * q, 0).sum() > loss.delta / 2  # δ is not idle


# ---------------------------------------------------------------------------------- truncated Laplace


def cut_laplace(scale: float, width: int) -> np.ndarray[Any, Any]:
    pmf = np.exp(-np.abs(np.arange(-width, width + 1)) / scale)
    return pmf / pmf.sum()


@pytest.mark.parametrize("steps", [1, 2, 37])
@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 4.0])
@pytest.mark.parametrize("delta", [1e-2, 1e-6])
def test_truncated_laplace_on_a_lattice_is_as_private_as_claimed(steps: int, epsilon: float, delta: float) -> None:
    """Sensitivity of ``steps`` lattice steps: the exact divergence of the cut law from its shifts is at most δ."""
    mechanism = TruncatedLaplaceTest(share=1.0, threshold=0.5, delta_fraction=0.1)
    sensitivity = steps / 64
    made = mechanism.calibrate(epsilon**2 / 2, delta, (L1(sensitivity),), Counts(1))
    assert mechanism.loss(made, (L1(sensitivity),), Counts(1)).delta == delta
    width = math.ceil(Fraction(made["half_width"]) * 64)
    law = cut_laplace(sensitivity / epsilon * 64, width)
    for shift in {1, steps}:
        p = np.concatenate([law, np.zeros(shift)])
        q = np.concatenate([np.zeros(shift), law])
        divergence = float(np.maximum(p - math.exp(epsilon) * q, 0).sum())
        assert divergence <= delta * (1 + 1e-9)
    narrow = cut_laplace(sensitivity / epsilon * 64, max(width - 2 * steps, 1))
    p = np.concatenate([narrow, np.zeros(steps)])
    q = np.concatenate([np.zeros(steps), narrow])
    assert float(np.maximum(p - math.exp(epsilon) * q, 0).sum()) > delta  # the twin, cut too short


def test_truncated_laplace_never_passes_below_its_threshold() -> None:
    mechanism = TruncatedLaplaceTest(share=1.0, threshold=0.55, delta_fraction=0.1)
    made = mechanism.calibrate(2.0, 1e-2, (L1(2 / 40),), Counts(1))
    step = Fraction(1, 40**2)
    below = math.ceil(Fraction(0.55) / step) - 1
    passed = {below: 0, below + 500: 0}
    for count in passed:
        for i in range(600):
            source = SeededSource(10).child(f"{count}/{i}")
            outcome = mechanism.release(Exact(np.array([count]), step), made, Counts(1), source)
            passed[count] += outcome.passed
            assert abs(outcome.value - count * float(step)) <= made["half_width"] + float(step)
    assert passed[below] == 0
    assert passed[below + 500] == 600  # far above it always passes


def test_truncated_laplace_refuses_a_larger_sensitivity_or_a_shorter_cut() -> None:
    from dpframe.errors import PlanError

    mechanism = TruncatedLaplaceTest(share=1.0, threshold=0.5, delta_fraction=0.1)
    made = mechanism.calibrate(0.5, 1e-6, (L1(0.1),), Counts(1))
    with pytest.raises(PlanError, match="made for sensitivity"):
        mechanism.loss(made, (L1(0.2),), Counts(1))
    with pytest.raises(PlanError, match="cut too short"):
        mechanism.loss({**made, "half_width": made["half_width"] * 0.99}, (L1(0.1),), Counts(1))


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
