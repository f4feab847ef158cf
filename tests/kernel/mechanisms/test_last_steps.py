"""The last step of a cut, a bar, a rate and a scale: none is a step, or an ulp, on the wrong side."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpframe.kernel import noise
from dpframe.kernel.mechanisms.additive import lattice_scale
from dpframe.kernel.mechanisms.gaussian import symmetric_noise
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.kernel.mechanisms.truncated_laplace_gate import TruncatedLaplaceTest
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact
from dpframe.kernel.transforms.partition import Subsample
from dpframe.proof.spaces import Counts, Outcome, SparseCounts
from dpframe.proof.theorems import histogram_threshold, truncated_laplace_bound

STEPS = [Fraction(1), Fraction(1, 3), Fraction(1, 100**2)]


def released(step: Fraction, value: int, threshold: float, *drawn: int) -> tuple[Outcome, int]:
    """The outcome of a test whose noise is what is listed, in turn, in half-widths and steps beyond; and that width."""
    bound = truncated_laplace_bound(1.0, 1.0, 1e-3)
    width = -((-Fraction(lattice_scale(bound, step))).__floor__())
    tape = iter(drawn)

    def scripted(source: Any, scale: float, size: Any) -> Any:
        return np.array([width + next(tape) for _ in range(size)])

    test = TruncatedLaplaceTest(share=1.0, threshold=threshold, delta_fraction=0.1)
    calibration = {"epsilon": 1.0, "delta": 1e-3, "sensitivity": 1.0, "half_width": bound}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(noise, "discrete_laplace", scripted)
        outcome = test.release(Exact(np.array([value]), step), calibration, Counts(1), SeededSource(0))
    assert next(tape, None) is None
    return outcome, width


@pytest.mark.parametrize("step", STEPS)
def test_noise_at_its_half_width_is_kept_and_beyond_it_drawn_again(step: Fraction) -> None:
    """Cut one step short the law has more mass in fewer places: its δ is above what is charged."""
    at, width = released(step, 0, 0.0, 0)
    beyond, _ = released(step, 0, 0.0, 1, 0)
    assert at.value == beyond.value == float(width * step)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("threshold", [0.5, 1.0, 2.4999, 1e-9])
def test_with_the_most_noise_no_value_below_the_threshold_passes(step: Fraction, threshold: float) -> None:
    """What is released in the branch rests on it: a bar that is rounded down lets a value one step below pass."""
    least = -((-Fraction(threshold) / step).__floor__())
    assert released(step, least, threshold, 0)[0].passed
    assert not released(step, least - 1, threshold, 0)[0].passed


@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
@pytest.mark.parametrize(("each", "reach"), [(1, 1.0), (1, 3.0), (4, 1.0), (4, 2.5)])
def test_the_threshold_is_for_all_bins_that_one_edit_fills(kind: str, each: int, reach: float) -> None:
    """A block fills several bins, and a unit fills one by several: a threshold made for one row is below both's."""
    mechanism = StableHistogram(share=1.0, noise=kind, delta_fraction=0.1)
    exact = Exact([(np.array([[0]]), np.array([10**6]))])
    calibration = {"scale": 3.0, "delta": 1e-6, "reach": reach}
    (found, *_) = mechanism.release(exact, calibration, SparseCounts(1, 1, each), SeededSource(0).child("h"))
    assert found.threshold == histogram_threshold(kind, 3.0, 1, 1e-6, each, reach)
    if each > 1 or reach > 1:
        assert found.threshold > histogram_threshold(kind, 3.0, 1, 1e-6)


@pytest.mark.parametrize("rate", [0.1, 0.3, 2.0**-32, 0.999999999999, 1.0])
def test_no_more_rows_are_sampled_than_the_rate_says(rate: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the 2^32 sides those that are kept are at most rate·2^32: one more, and ε is amplified by too small a p."""
    kept = int(Fraction(rate) * 2**32)
    sides = np.array([0, kept - 1, kept, 2**32 - 1])
    monkeypatch.setattr(noise, "uniform_below", lambda source, bound, size: sides)
    assert Subsample(rate=rate).draw(4, None).tolist() == np.where(sides < kept, 0, -1).tolist()
    assert Fraction(kept, 2**32) <= Fraction(rate)


def test_noise_beside_the_diagonal_is_no_less_than_the_norm_asks() -> None:
    """An entry stands twice in a symmetric matrix: 2·s² is at least σ², in fractions, not to the nearest float."""
    short, asked = 0, []
    for sigma in np.random.default_rng(5).uniform(1.0, 2.0, 400).tolist():
        asked.clear()
        symmetric_noise((2, 2), sigma, lambda s, size: asked.append(s) or np.zeros(size, dtype=np.int64))
        on, off = map(Fraction, asked)
        assert on >= Fraction(sigma)
        assert 2 * off**2 >= Fraction(sigma) ** 2
        short += 2 * Fraction(sigma * 0.5**0.5) ** 2 < Fraction(sigma) ** 2
    assert short  # the twin: as it is rounded
