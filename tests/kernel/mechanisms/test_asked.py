"""How much noise a mechanism asks for, how often it draws again, and what it does where its noise is none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpframe import plugin
from dpframe.kernel import noise, registry
from dpframe.kernel.mechanisms.above_threshold import AboveThreshold
from dpframe.kernel.mechanisms.selection import ExponentialMechanism, PermuteAndFlip
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.kernel.mechanisms.truncated_laplace_gate import TruncatedLaplaceTest
from dpframe.kernel.noise import SeededSource, categorical_exp
from dpframe.kernel.operations import Exact
from dpframe.kernel.statistics.ranks import RankScores
from dpframe.proof.spaces import Counts, Rows, SparseCounts, Vector
from dpframe.proof.theorems import truncated_laplace_bound


def silent(monkeypatch: pytest.MonkeyPatch, *values: int) -> list[tuple[float, Any]]:
    """Laplace noise of the values in turn, zero after them; the scales and sizes that are asked for."""
    asked, tape = list[tuple[float, Any]](), iter(values)

    def laplace(source: Any, scale: float, size: Any) -> Any:
        asked.append((scale, size))
        return np.full(size, next(tape, 0), dtype=np.int64)

    monkeypatch.setattr(noise, "discrete_laplace", laplace)
    return asked


@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 8), Fraction(4)])
@pytest.mark.parametrize("rate", [0.5, 2.0])
def test_a_sparse_vector_asks_for_two_and_four_over_its_rate(
    step: Fraction, rate: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of ε for the threshold, half for the first query above it, whose neighbour may move against it."""
    asked = silent(monkeypatch)
    scores = Exact(np.array([0, 1, 2], dtype=np.int64), step)
    AboveThreshold(share=1.0, threshold=1.0).release(scores, {"rate": rate}, Counts(3), SeededSource(0))
    wanted = [2 / rate / float(step), 4 / rate / float(step)]
    assert [scale for scale, _ in asked] == pytest.approx(wanted, rel=1e-12)
    assert all(scale >= least for (scale, _), least in zip(asked, wanted, strict=True))
    assert [size for _, size in asked] == [1, 3]


def test_noise_beyond_the_cut_is_drawn_until_it_is_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    far = 10**6
    asked = silent(monkeypatch, far, -far, far, 3)
    test = TruncatedLaplaceTest(share=1.0, threshold=0.0, delta_fraction=0.1)
    bound = truncated_laplace_bound(1.0, 1.0, 1e-3)
    calibration = {"epsilon": 1.0, "delta": 1e-3, "sensitivity": 1.0, "half_width": bound}
    outcome = test.release(Exact(np.array([5])), calibration, Counts(1), SeededSource(0))
    assert (outcome.value, len(asked)) == (8.0, 4)


def test_a_bin_at_the_threshold_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    silent(monkeypatch)
    mechanism = StableHistogram(share=1.0, noise="laplace", delta_fraction=0.1)
    calibration, domain = {"scale": 3.0, "delta": 1e-6}, SparseCounts(1, 1)

    def published(count: int) -> tuple[list[Any], int]:
        exact = Exact([(np.array([[7]]), np.array([count]))])
        (found, *_) = mechanism.release(exact, calibration, domain, SeededSource(0))
        return found.ids.tolist(), found.threshold

    threshold = published(0)[1]
    assert published(threshold)[0] == []
    assert published(threshold + 1)[0] == [[7]]


@pytest.mark.parametrize("mechanism", [ExponentialMechanism, PermuteAndFlip])
@pytest.mark.parametrize("step", [Fraction(1), Fraction(1, 8), Fraction(3)])
def test_a_choice_is_made_at_the_rate_of_its_lattice(
    mechanism: Any, step: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores are numbers of steps: at the rate of whole numbers a gap of a step of 1/8 would tell eight times more."""
    asked = list[float]()

    def choose(source: Any, scores: Any, rate: float, size: int) -> Any:
        asked.append(rate)
        return np.zeros(size, dtype=np.int64)

    for name in ("categorical_exp", "permute_and_flip"):
        monkeypatch.setattr(noise, name, choose)
    mechanism(share=1.0).release(Exact(np.array([0, 1]), step), {"rate": 0.5}, Counts(2), SeededSource(0))
    assert asked == [0.5 * float(step)]


def test_a_choice_among_very_many_is_one_of_them() -> None:
    """The sum of all their weights fits 63 bits, however many they are."""
    for size in (2**18, 2**19 + 1):
        drawn = categorical_exp(SeededSource(1), np.zeros(size, dtype=np.int64), 1.0, size=5)
        assert ((drawn >= 0) & (drawn < size)).all()
        assert drawn.max() > size // 16  # five that are all in the first sixteenth: a chance below 1e-6


@pytest.mark.parametrize("count", [10, 2**44, 2**55])
def test_rank_scores_are_exact_however_many_rows(count: int) -> None:
    p, b = 2**19 - 1, 2**20
    statistic = RankScores(candidates=(0.0, 1.0), numerator=p, denominator=b)
    fold = statistic.start(Rows(1))
    for counted in fold.each:
        counted._counts[:] = [count, 2 * count, 3 * count]
    under, rows = [count, 3 * count], 6 * count
    above = [rows - u for u in under]
    wanted = [-max(b * u - p * rows, b * a - (b - p) * rows, 0) for u, a in zip(under, above, strict=True)]
    assert [int(score) for score in statistic.value(fold).integers] == wanted


def _scale(value: Any, scale: float, noise: Any) -> Any:
    """Gives what it is told."""
    return np.array([int(scale)])


def test_a_plugin_draws_in_steps_of_the_lattice() -> None:
    """A value that is a number of steps of 1/8 wants eight times the scale of one that is a whole number."""
    plugin.own_mechanism("test.scale", gives=1, takes="l1", loss=lambda scale, l1: l1 / scale, source="-")(_scale)
    operation: Any = registry.build("test.scale", {"share": 1.0})
    for step in (Fraction(1), Fraction(1, 8)):
        released = operation.release(Exact(np.array([0]), step), {"scale": 16.0}, Vector(1), SeededSource(0))
        assert float(released[0]) == 16.0  # 16/step steps
