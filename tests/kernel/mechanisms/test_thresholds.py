"""Stable histograms and truncated Laplace: what passes a threshold is as private as claimed."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpframe.errors import PlanError
from dpframe.kernel.mechanisms.additive import lattice_scale
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.kernel.mechanisms.truncated_laplace_gate import TruncatedLaplaceTest
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact
from dpframe.proof.spaces import L1, L2, Counts, LInf, OneSided, SparseCounts
from dpframe.proof.theorems import THEOREMS, histogram_threshold, truncated_laplace_bound, up
from dpframe.proof.theorems.mechanisms import gaussian_tail, laplace_tail
from tests.kernel.mechanisms.laws import laplace_pmf


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


def test_laplace_noise_of_several_histograms_is_no_less_than_its_loss_says() -> None:
    """For every released number m of at most 40: ε is at least 2m over the scale that m are drawn at, in fractions."""
    mechanism = StableHistogram(share=1.0, noise="laplace", delta_fraction=0.1)
    rng, short = np.random.default_rng(11), 0
    for scale in rng.uniform(0.1, 50.0, 400).tolist():
        most, m = int(rng.integers(2, 40)), int(rng.integers(1, 40))
        metrics = (L1(2.0 * most), L2(math.sqrt(2 * most)), LInf(1.0), OneSided(float(most)))
        loss = mechanism.loss({"scale": scale, "delta": 1e-6}, metrics, SparseCounts(1, most))
        m = min(m, most)
        assert Fraction(2 * m) / Fraction(mechanism.drawn_at({"scale": scale}, m)) <= Fraction(loss.epsilon)
        short += Fraction(2 * m) / Fraction(m * scale) > Fraction(up(2.0 * most / (most * scale)))
    assert short  # the twin: products as they are rounded


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


def cut_mass(calibration: dict[str, float], step: Fraction) -> Any:
    """Exactly what the cut law, as it is drawn on this lattice, has beyond its shift by the sensitivity, over δ."""
    mechanism = TruncatedLaplaceTest(share=1.0, threshold=0.5, delta_fraction=0.1)
    width = math.ceil(lattice_scale(calibration["half_width"], step))
    moved = math.floor(Fraction(calibration["sensitivity"]) / step)
    with mpmath.workdps(60):
        q = mpmath.exp(-1 / mpmath.mpf(lattice_scale(mechanism.drawn_at(calibration), step)))
        outside = q ** (width - moved + 1) - q ** (width + 1)
        return outside / (1 + q - 2 * q ** (width + 1)) / mpmath.mpf(calibration["delta"])


@pytest.mark.parametrize(
    ("bits", "sensitivity", "epsilon", "delta"),
    [
        (46, 1.0, 0.11834365264861878, 1.0808084721849109e-09),
        (49, 3.7, 0.3837981590680919, 6.901388942351885e-12),
        (49, 1.0, 1.7428749209722294, 5.571087967539769e-12),
        (51, 2.707692307692308, 0.12822654762765404, 2.1119902849758587e-12),
        (52, 1.0, 0.023386338634280017, 2.3777917195102494e-12),
    ],
)
def test_the_cut_is_rounded_up_on_lattices_too_fine_to_cover_its_rounding(
    bits: int, sensitivity: float, epsilon: float, delta: float
) -> None:
    """A cut that is as short as float64 happens to round it has more than δ beyond it."""
    cut = truncated_laplace_bound(sensitivity, epsilon, delta)
    made = {"sensitivity": sensitivity, "epsilon": epsilon, "delta": delta, "half_width": cut}
    assert cut_mass(made, Fraction(1, 2**bits)) <= 1
    plain = up(sensitivity / epsilon * math.log1p(math.expm1(epsilon) / (2 * delta)))
    assert cut_mass({**made, "half_width": plain}, Fraction(1, 2**bits)) > 1


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


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
@pytest.mark.parametrize("reach", [1, 2, 5, 40])
def test_the_threshold_covers_bins_that_neighbours_fill_with_several_rows(noise: str, reach: int) -> None:
    """m·e·r·P(r + Z > τ) <= δ, and not one step lower; a threshold made for one row is refused for r."""
    scale, m, each, delta = 7.0, 3, 2, 1e-6
    tau = histogram_threshold(noise, scale, m, delta, each, reach)
    tail = gaussian_tail if noise == "gaussian" else laplace_tail
    actual = scale * math.sqrt(m) if noise == "gaussian" else scale * m
    assert m * each * reach * tail(actual, tau - reach) <= delta * (1 + 1e-9)
    assert m * each * reach * tail(actual, tau - 1 - reach) > delta
    told = {"histograms": m, "scale": scale, "each": each, "delta": delta, "noise": noise}
    moved = (L1(2.0 * reach * m), L2(math.sqrt(2 * m) * reach), LInf(float(reach)), OneSided(float(m * each * reach)))
    rule = THEOREMS["stable_histogram"].rule
    rule({**told, "reach": float(reach)}, (moved,))
    if reach > 1:
        for low in ({}, {"reach": reach - 0.5}):
            with pytest.raises(PlanError, match="bins that neighbours fill"):
                rule({**told, **low}, (moved,))
