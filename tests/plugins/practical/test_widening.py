"""The last pass clips farther out where a histogram of log densities shows rows outside, and nowhere else."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe.estimators import PrivateGaussianMixture
from dpframe.plugin import AffineValue, BallValue, WhiteningValue
from dpframe_plugins.practical import widening
from dpframe_plugins.practical.averaging import Average
from dpframe_plugins.practical.goodness import EDGES
from dpframe_plugins.practical.records import Mixture

SHARES = (0.0005, 0.01, 0.04, 0.15, 0.2, 0.2, 0.2, 0.15, 0.05)
"""Of a Gaussian's own rows in the bins, from the nearest far outside on."""
ROWS, STD = 16_000, 30.0


def counts(share: float = SHARES[0], std: float = 0.0, seed: int = 0) -> np.ndarray:
    """Released counts with this share of the rows outside."""
    released = std * np.random.default_rng(seed).standard_normal((EDGES + 1, EDGES + 1))
    released[2:, -1] += ROWS * np.array([share, *SHARES[1:]])
    return released


def whitening(d: int = 2) -> WhiteningValue:
    return WhiteningValue((AffineValue(np.zeros(d), np.eye(d), 16.0),) * 2, np.zeros(2), 2.5, 1.5)


def widened(released: np.ndarray, multiplier: float = 8.0) -> WhiteningValue:
    node = widening.Widened(k=2, planned_noise="pass_5")
    return node.apply_noisy((whitening(), released, np.array([float(ROWS)])), (0.0, STD, 0.0, multiplier))


def false_alarms(runs: int) -> int:
    return sum(widening.outside(counts(std=STD, seed=seed), STD) > 0.0 for seed in range(runs))


def test_a_gaussians_rows_are_none_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A false alarm takes 4.8 deviations of the noise: one in 1e6 for 8 rows of 16,000 there."""
    assert false_alarms(200) == 0
    monkeypatch.setattr(widening, "SURE", 0.0)
    assert false_alarms(200) > 20


def test_nothing_changes_where_nothing_is_outside() -> None:
    found = widened(counts())
    assert (found.clip, found.anchor) == (2.5, 1.5)


def test_clip_and_anchor_grow_alike_and_more_where_noise_is_less() -> None:
    much, little = widened(counts(0.03), 80.0), widened(counts(0.03), 8.0)
    assert 2.5 < much.clip < little.clip <= 8.0 * 2.5
    assert [found.anchor / found.clip for found in (much, little)] == pytest.approx([0.6, 0.6])


def test_rows_far_outside_alone_are_outliers_and_widen_nothing() -> None:
    released = counts()
    released[0, -1] += 500.0
    assert widened(released).clip == 2.5


@pytest.mark.parametrize(("share", "mean"), [(SHARES[0], 1.05), (0.03, 1.1)])
def test_a_widened_pass_is_not_averaged_with_what_it_mends(share: float, mean: float) -> None:
    before = Mixture([1.0], [[1.0]], [[[1.0]]], [0.1])
    last = attrs.evolve(before, means=[[1.1]])
    node = Average(k=1, shares=(0.5, 0.5), widens=True)
    values = (BallValue(np.zeros(1), 1.0), counts(share), None, before, before, last)
    assert node.apply_noisy(values, (0.0, STD)).means[0, 0] == pytest.approx(mean)


def test_skewed_columns_are_not_taken_for_their_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two columns of four log-normal: .26 nats a row behind the best Gaussian, 1.1 where all passes clip alike."""
    rng = np.random.default_rng(3)
    rows = rng.standard_normal((9000, 4))
    rows[:, :2] = np.exp(1.3 * rows[:, :2])
    model = PrivateGaussianMixture(1, epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=1e4, simulate=0)

    def behind() -> float:
        best = np.linalg.slogdet(np.cov(rows.T))[1] / 2 + 2 * np.log(2 * np.pi) + 2
        return float(-best - model.fit(rows).score(rows))

    assert behind() < 0.5
    assert "uncertainty states" in model.quality_["why"]
    monkeypatch.setattr(widening, "SURE", np.inf)
    assert behind() > 0.8
    assert "uncertainty states" not in model.quality_["why"]


def test_the_last_pass_waits_for_the_histogram_where_rows_are_neither_scarce_nor_many() -> None:
    @dp.program
    def learn(x: dp.Handle) -> dp.Handle:
        return dp.apply("found", dp.recipe("practical_mixture", k=3, bound=10.0), x)

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    for n, there in ((100_000, True), (2_000, False), (2_000_000, False)):
        plan = dp.plan(learn, x=dp.rows(n=n, d=3), adjacency=dp.REPLACE_ONE, budget=budget)
        assert plan.verdict.holds
        assert any(row["operation"] == "practical.widened" for row in plan.to_json()["nodes"]) == there
