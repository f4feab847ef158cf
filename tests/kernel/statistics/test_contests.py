"""Contest scores: against a plain computation, whatever the chunks; densities alike in every batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

import dpframe as dp
from dpframe.kernel.families.contest_scores import ContestScores, log_density
from dpframe.kernel.operations import Batch
from dpframe.proof.spaces import Array, Counts, ListOf, Mixture, MixtureValue, Rows


def mixture(rng: np.random.Generator, k: int = 2, d: int = 2) -> MixtureValue:
    roots = rng.standard_normal((k, d, d))
    covariances = roots @ roots.swapaxes(1, 2) + 0.1 * np.eye(d)
    return MixtureValue(rng.dirichlet(np.ones(k)), 3 * rng.standard_normal((k, d)), covariances)


def density(values: np.ndarray[Any, Any], m: MixtureValue) -> np.ndarray[Any, Any]:
    parts = [
        w * multivariate_normal(mu, s).pdf(values) for w, mu, s in zip(m.weights, m.means, m.covariances, strict=True)
    ]
    return np.asarray(sum(parts))


def batch(values: np.ndarray[Any, Any], valid: np.ndarray[Any, Any] | None = None) -> Batch:
    alive = np.ones(len(values), dtype=np.bool_) if valid is None else valid
    return Batch(0, np.where(alive[:, None], values, 0.0), alive)


def test_log_density_is_that_of_the_mixture_up_to_a_constant(rng: np.random.Generator) -> None:
    m, values = mixture(rng), 4 * rng.standard_normal((50, 2))
    expected = np.log(density(values, m))
    found = log_density(values, m)
    assert found - expected == pytest.approx(np.full(50, found[0] - expected[0]), abs=1e-9)


def test_log_density_is_finite_for_far_rows_and_zero_weights(rng: np.random.Generator) -> None:
    m = mixture(rng)
    far = np.array([[1e308, -1e308], [1e200, 0.0], [0.0, 0.0]])
    assert np.isfinite(log_density(far, m)).all()
    lonely = MixtureValue(np.array([1.0, 0.0]), m.means, m.covariances)
    one = MixtureValue(np.array([1.0]), m.means[:1], m.covariances[:1])
    assert np.array_equal(log_density(far, lonely), log_density(far, one))


def test_a_density_does_not_see_other_rows(rng: np.random.Generator) -> None:
    m, values = mixture(rng, k=3, d=3), rng.standard_normal((97, 3))
    whole = log_density(values, m)
    alone = np.concatenate([log_density(values[i : i + 1], m) for i in range(97)])
    assert np.array_equal(whole, alone)


def scores(
    values: np.ndarray[Any, Any], valid: Any, hypotheses: list[MixtureValue], bars: Any, n: int, size: int
) -> Any:
    statistic = ContestScores(size=size, n=n)
    fold = statistic.start(Rows(2), hypotheses, bars)
    for a, b in ((0, 7), (7, 8), (8, len(values))):
        piece = batch(values[a:b], valid[a:b])
        half = statistic.start(Rows(2), hypotheses, bars)
        statistic.update(half, piece, hypotheses, bars)
        fold.merge(half)
    return statistic.value(fold).integers.tolist()


def test_scores_are_those_of_the_definition(rng: np.random.Generator) -> None:
    n, size = 60, 5
    hypotheses = [mixture(rng) for _ in range(4)]
    values, valid = 3 * rng.standard_normal((n, 2)), rng.random(n) > 0.1
    bars = rng.uniform(-0.2, 0.4, (size, size))
    dense = np.stack([density(values, h) for h in hypotheses])
    expected = []
    for j in range(4):
        contests = [n]
        for i in range(4):
            if i != j:
                wins = int(((dense[j] > dense[i]) & valid).sum())
                contests.append(n if bars[j, i] < 0 else max(0, wins - int(np.ceil(n * bars[j, i]))))
        expected.append(min(contests))
    assert scores(values, valid, hypotheses, bars, n, size) == [*expected, -n]


def test_the_best_hypothesis_scores_highest(rng: np.random.Generator) -> None:
    truth = MixtureValue(np.array([1.0]), np.zeros((1, 2)), np.eye(2)[None])
    others = [MixtureValue(np.array([1.0]), np.full((1, 2), shift), np.eye(2)[None]) for shift in (1.5, -2.0)]
    values = rng.standard_normal((400, 2))
    found = scores(values, np.ones(400, dtype=np.bool_), [others[0], truth, others[1]], np.full((3, 3), 0.3), 400, 3)
    assert int(np.argmax(found)) == 1


def test_no_and_one_hypothesis() -> None:
    statistic = ContestScores(size=2, n=10)
    for hypotheses, expected in (([], [-10, -10]), ([mixture(np.random.default_rng(1))], [10, -10])):
        fold = statistic.start(Rows(2), hypotheses, np.zeros((2, 2)))
        statistic.update(fold, batch(np.zeros((3, 2))), hypotheses, np.zeros((2, 2)))
        assert statistic.value(fold).integers.tolist() == expected


def test_shapes_are_checked() -> None:
    listed, bars = ListOf(Mixture(1, 2), 3), Array((3, 3))
    assert ContestScores(size=3, n=10).output(Rows(2), listed, bars) == Counts(3)
    for size, rows, hypotheses, thresholds in (
        (2, Rows(2), listed, bars),
        (3, Rows(3), listed, bars),
        (3, Rows(2), listed, Array((2, 3))),
        (3, Rows(2, "unit_ball"), listed, bars),
        (3, Rows(2), Mixture(1, 2), bars),
    ):
        with pytest.raises(dp.PlanError):
            ContestScores(size=size, n=10).output(rows, hypotheses, thresholds)


@pytest.mark.parametrize("alive", [True, False])
def test_a_mixture_without_a_density_is_refused_whatever_the_rows(alive: bool) -> None:
    """Also when all rows are empty, which nobody may learn from an error."""
    m = MixtureValue(np.ones(1), np.zeros((1, 2)), np.array([[[1.0, 1.0], [1.0, 1.0]]]))
    statistic = ContestScores(size=1, n=3)
    with pytest.raises(dp.DpframeError, match="positive definite"):
        statistic.update(
            statistic.start(Rows(2), [m], np.zeros((1, 1))), batch(np.ones((3, 2)), np.full(3, alive)), [m], None
        )
