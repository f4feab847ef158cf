"""Radii of rows: a Gaussian's change nothing, heavy tails are undone, from noisy histograms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dpframe as dp
from dpframe.estimators import PrivateGaussianMixture
from dpframe_plugins.practical import radii
from dpframe_plugins.practical.truncation import chi_quantile, response
from tests.plugins.practical.float_kernel import clip

LAWS = {
    "t(5)": lambda rng, shape: rng.standard_t(5, shape) / math.sqrt(5.0 / 3.0),
    "exponential": lambda rng, shape: rng.exponential(size=shape) - 1.0,
    "laplace": lambda rng, shape: rng.laplace(size=shape) / math.sqrt(2.0),
}


def counted(rows: np.ndarray) -> np.ndarray:
    places = np.searchsorted(radii.edges(rows.shape[1]), np.linalg.norm(rows, axis=1))
    return np.bincount(places, minlength=radii.EDGES + 1).astype(float)


@pytest.mark.parametrize("d", [1, 3, 10])
@pytest.mark.parametrize("size", [0.7, 1.0, 1.4])
def test_a_gaussian_is_taken_for_one(d: int, size: float, rng: np.random.Generator) -> None:
    """Four deviations of the noise, 20 draws of it: three false alarms are rarer than 1e-6."""
    counts = counted(size * rng.standard_normal((20_000, d)))
    clipped = chi_quantile(d, 0.9)
    found = [radii.law(counts + 50.0 * rng.standard_normal(counts.size), 50.0, d, clipped) for _ in range(20)]
    believed = [one[0].weight for one in found if one is not None]
    assert len(believed) == 20
    assert sum(w > 0.0 for w in believed) <= 2
    quiet = [one[0] for one in found if one is not None and one[0].weight == 0.0]
    assert radii.wider(clipped, quiet, d, 0.01) == clipped
    assert radii.factors(d, clipped, quiet[0]) == response(d, clipped)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("d", [1, 3, 6])
def test_heavy_tails_are_undone(name: str, d: int, rng: np.random.Generator) -> None:
    """The mean variance of rows clipped as for a Gaussian, from 20,000 of them and noise of 40 in a count."""
    rows = 1.3 * LAWS[name](rng, (20_000, d))
    counts, clipped = counted(rows / 1.1), chi_quantile(d, 0.85)
    noisy = counts + 40.0 * rng.standard_normal(counts.size)
    found = radii.law(noisy, 40.0, d, clipped)
    assert found is not None
    own = found[0]
    assert own.weight > 0.3
    radius = radii.wider(clipped, [own], d, 0.002)
    assert radius > clipped
    truth = float((rows**2).mean())

    def undone(at: float, law: radii.Law | None) -> float:
        level = float((clip(rows, at) ** 2).sum(axis=1).mean()) / d
        return radii.scale_of(d, at, level, law) / truth

    assert abs(undone(radius, own) - 1.0) < (0.2 if d == 1 else 0.1)
    assert undone(clipped, None) < 0.9  # the twin: a Gaussian's law


def test_a_chi_law_has_the_gaussian_factors(rng: np.random.Generator) -> None:
    squares = np.sort((rng.standard_normal((200_000, 4)) ** 2).sum(axis=1))
    law = radii.Law(squares * 4.0 / squares.mean(), np.full(squares.size, 1.0 / squares.size), 1.0, 0.0, 0)
    for at in (2.5, 3.5):
        own, exact = law.response(at), response(4, at)
        assert own.second == pytest.approx(exact.second, abs=0.01)
        assert own.mean == pytest.approx(exact.mean, abs=0.01)
        assert own.shape == pytest.approx(exact.shape, abs=0.01)
        assert law.undo(at, 1.7 * law.second(at / math.sqrt(1.7))) == pytest.approx(1.7, rel=1e-6)


@pytest.mark.parametrize(("far", "std"), [(15.0, 5.0), (1000.0, 1.0), (1000.0, 5.0)])
def test_outliers_are_kept_out_of_the_covariance(far: float, std: float, rng: np.random.Generator) -> None:
    rows = rng.standard_normal((20_000, 3))
    plain, clipped = counted(rows), chi_quantile(3, 0.9)
    rows[:200] *= far
    for table in (plain, counted(rows)):
        noisy = np.stack([table, plain]) + std * rng.standard_normal((2, plain.size))
        found = [radii.law(one, std, 3, clipped) for one in noisy]
        assert all(one is not None and abs(one[1] - 1.0) < 0.05 for one in found)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [1.0, 32.0])
def test_the_clusters_of_a_table_with_far_rows_keep_their_size(epsilon: float) -> None:
    """One row in a hundred a thousand deviations out: poor without a tail, good with one (at ε=1 in 95 % of runs)."""
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((20_000, 3)) + 10.0 * rng.integers(0, 2, (20_000, 1))
    rows[:200] = 1000.0 * rng.standard_normal((200, 3))
    for tail, verdict in ((False, "poor"), (True, "good")):
        model = PrivateGaussianMixture(
            2, epsilon=epsilon, delta=1e-6, adjacency="replace_one", bound=1e5, simulate=1, tail=tail
        ).fit(rows)
        assert model.quality_["verdict"] == verdict
        assert np.trace(model.covariances_[:2], axis1=1, axis2=2).max() < 6.0


def test_noise_alone_gives_no_law(rng: np.random.Generator) -> None:
    assert radii.law(np.zeros(radii.EDGES + 1), 10.0, 3, 2.0) is None


def test_bins_of_the_release_are_those_that_are_read(rng: np.random.Generator) -> None:
    """One component at 0 with covariance I: what ``weighted_radii`` counts is the histogram of norms."""
    from dpframe.kernel.families.weighted import WeightedRadii
    from dpframe.kernel.families.whiten import Whiten
    from dpframe.kernel.operations import Batch
    from dpframe.proof.spaces import AffineValue, WeightedRows, WhiteningValue

    d = 3
    rows = rng.standard_normal((500, d)) * np.exp(rng.uniform(-1.0, 4.0, (500, 1)))
    maps = (AffineValue(np.zeros(d), np.eye(d), 1e6),)
    value = WhiteningValue(maps, np.zeros(1), radii.REACH * math.sqrt(d), 0.0)
    seen = Whiten().apply(Batch(0, rows, np.ones(500, dtype=bool)), value)
    statistic = WeightedRadii(edges=radii.EDGES, ratio=radii.RATIO)
    fold = statistic.start(WeightedRows(1, d + 1))
    statistic.update(fold, seen)
    counts = np.asarray(statistic.value(fold).integers, dtype=float) * float(statistic.step())
    assert np.abs(counts[0] - counted(rows)).sum() <= 4.0  # a row on an edge of the lattice, and weights just below 1


@pytest.mark.parametrize("seed", [0])
def test_covariances_of_exponential_rows(seed: int) -> None:
    """Three columns of exponential rows at ε=1: eigenvalues .35 off before radii were released."""
    rng = np.random.default_rng(seed)
    rows = rng.exponential(size=(40_000, 3)) + 30.0 * rng.integers(0, 2, (40_000, 1))
    model = PrivateGaussianMixture(2, epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=500.0, simulate=seed)
    for covariance in model.fit(rows).covariances_:
        assert np.abs(np.linalg.eigvalsh(covariance) - 1.0).max() < 0.15


def test_histograms_of_radii_are_priced() -> None:
    @dp.program
    def learn(x: dp.Handle) -> dp.Handle:
        return dp.apply("found", dp.recipe("practical_mixture", k=3, bound=10.0), x)

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    for n, there in ((100_000, True), (2_000, False)):
        plan = dp.plan(learn, x=dp.rows(n=n, d=3), adjacency=dp.REPLACE_ONE, budget=budget)
        assert plan.verdict.holds
        assert ("radii_1" in plan.explain(full=True)) == there
