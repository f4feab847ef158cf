"""The last pass clips farther out where a histogram of log densities shows rows outside, and nowhere else."""

from __future__ import annotations

import attrs
import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

import dpframe as dp
from dpframe.estimators import PrivateGaussianMixture
from dpframe.plugin import AffineValue, Ball, BallValue, Counts, PlanError, Quality, Record, WhiteningValue
from dpframe_plugins.practical import averaging, gathering, judging, widening
from dpframe_plugins.practical.averaging import Average
from dpframe_plugins.practical.goodness import EDGES, Fit
from dpframe_plugins.practical.records import Mixture, Moments

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


def widened(released: np.ndarray, multiplier: float = 8.0, gathered: int = 0) -> WhiteningValue:
    node = widening.Widened(k=2, planned_noise="pass_5", gathered=gathered)
    return node.apply_noisy((whitening(), released, np.array([float(ROWS)])), (0.0, STD, 0.0, multiplier))


def false_alarms(runs: int, rule: widening.Rule = widening.AMPLE) -> int:
    return sum(widening.outside(counts(std=STD, seed=seed), STD, rule) > 0.0 for seed in range(runs))


def test_a_gaussians_rows_are_none_outside() -> None:
    """A false alarm takes 4.8 deviations of the noise: one in 1e6 for 8 rows of 16,000 there; for scarce rows 3.4.

    That is 3.4e-4 of the runs, of 200 more than three with chance 1e-6.
    """
    assert false_alarms(200) == 0
    assert false_alarms(200, widening.SCARCE) <= 3
    assert false_alarms(200, attrs.evolve(widening.SCARCE, sure=0.0)) > 20


def test_nothing_changes_where_nothing_is_outside() -> None:
    found = widened(counts())
    assert (found.clip, found.anchor) == (2.5, 1.5)


def test_clip_and_anchor_grow_alike_and_more_where_noise_is_less() -> None:
    much, little = widened(counts(0.03), 80.0), widened(counts(0.03), 8.0)
    assert 2.5 < much.clip < little.clip <= 8.0 * 2.5
    assert [found.anchor / found.clip for found in (much, little)] == pytest.approx([0.6, 0.6])


def test_gathered_passes_clip_farther_out_for_less_the_more_of_them_see_it() -> None:
    once, twice = (widened(counts(0.03), 200.0, gathered) for gathered in (1, 2))
    assert 2.5 < once.clip < twice.clip <= 8.0 * 2.5
    assert twice.anchor / twice.clip == pytest.approx(0.6)


def test_where_rows_are_scarce_fewer_have_to_stand_out() -> None:
    few = counts(0.007)
    assert widened(few, 80.0).clip == 2.5 < widened(few, 80.0, 2).clip


def test_what_a_wider_clip_shows_of_a_shape_is_noise_less() -> None:
    """At the median radius of two columns a clip hides two thirds of a shape."""
    blind = attrs.evolve(widening.SCARCE, reads_shape=False)
    found = [widening.widened(1.18, 0.03, 2, 0.5, rule) for rule in (blind, widening.SCARCE)]
    assert found[1] > 1.4 * found[0] > 1.4


def test_rows_far_outside_alone_are_outliers_and_widen_nothing() -> None:
    released = counts()
    released[0, -1] += 500.0
    assert widened(released).clip == 2.5


@pytest.mark.parametrize(("share", "mean"), [(SHARES[0], 1.05), (0.03, 1.1)])
def test_a_widened_pass_is_not_averaged_with_what_it_mends(share: float, mean: float) -> None:
    before = Mixture([1.0], [[1.0]], [[[1.0]]], [0.1])
    last = attrs.evolve(before, means=[[1.1]])
    node = Average(k=1, shares=(0.5, 0.5), widened=1)
    values = (BallValue(np.zeros(1), 1.0), counts(share), None, before, before, last)
    assert node.apply_noisy(values, (0.0, STD)).means[0, 0] == pytest.approx(mean)


def test_the_verdict_reads_the_histogram_of_the_mixture_that_it_was_taken_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gathered passes that wait for it: of the mixture before both, and drift over them is no drift of many."""
    steps = ((0.0, 1.0), (0.1, 1.0), (0.2, 4.0))
    first, second, last = (Mixture([1.0], [[m]], [[[s]]], [0.1 + m], mean_noise=[0.1 + m]) for m, s in steps)
    seen: dict[str, object] = {}

    def judge(recent: list[Mixture], _: object, **told: object) -> Quality:
        seen.update(told, recent=list(recent))
        return Quality("good", "")

    fit = Fit(0.0, 0.0, 1)
    monkeypatch.setattr(averaging, "read_fit", lambda model, *_, **__: seen.update(of=model) or fit)
    monkeypatch.setattr(averaging, "better", lambda *_: 0.0)
    monkeypatch.setattr(averaging.judging, "judge", judge)
    node = Average(k=1, shares=(0.25,), gathered=(0.25, 0.25, 0.25, 0.25), widened=2)
    found = node.quality((None, counts(0.03), None, first, second, last), (0.0, STD), None)
    assert seen["of"] is first
    assert seen["recent"] == [second, last]
    assert not seen["early"]
    assert "clip farther out, for more noise, which uncertainty states" in found.why
    # Of the last pass alone, and in the metric of the mixture that it was taken with: one of a fourth of its deviation.
    assert found.told["means"] == pytest.approx([0.3 / 4.0])
    assert found.told["covariances"] == pytest.approx([0.3 / 2.0 / 16.0])


@pytest.mark.parametrize(
    ("mixtures", "told"),
    [
        (2, {"shares": (1.0,)}),
        (3, {"shares": (0.5, 0.5), "widened": 1}),
        (3, {"shares": (0.5,), "gathered": (0.2, 0.3, 0.5), "widened": 2}),
    ],
)
def test_an_average_wants_a_mixture_and_a_pass_before_those_that_are_widened(mixtures: int, told: dict) -> None:
    def planned(mixtures: int, widened: int) -> None:
        history = [Record("practical.mixture")] * mixtures
        inputs = Ball(2), Counts((EDGES + 1) ** 2), Record("practical.starts"), *history
        Average(k=1, **{**told, "widened": widened}).output(*inputs)

    widened = told.get("widened", 0)
    planned(mixtures, widened)
    for fewer, more in ((mixtures - 1, widened), (mixtures + 9, len(told.get("gathered", told["shares"])))):
        with pytest.raises(PlanError, match=f"for {fewer} mixtures, and widens {more} passes"):
            planned(fewer, more)


def test_a_widened_pass_is_judged_by_the_passes_before() -> None:
    """It moves by what it mends, and its noise costs heavy tails less; what is at rest before it is good."""
    at_rest, wider = Mixture([1.0], [[0.0]], [[[1.0]]], [0.1]), Mixture([1.0], [[0.5]], [[[1.5]]], [1.2])
    assert judging.judge((at_rest, at_rest, wider), widened=True).verdict == "good"
    assert judging.judge((at_rest, at_rest, wider)).verdict == "poor"
    moving = attrs.evolve(at_rest, means=[[0.25]])  # .031 nats, of which .001 are noise
    assert judging.judge((moving, at_rest, wider), widened=True).verdict == "poor"
    settling = judging.judge((moving, at_rest, wider), early=(wider,), widened=True)
    assert settling.verdict == "good"
    assert "(poor above 0.034)" in settling.why
    loud = attrs.evolve(at_rest, noise=[0.9])
    assert judging.judge((loud, loud, wider), widened=True).verdict == "poor"


@pytest.mark.parametrize("law", ["t(5)", "exponential"])
@pytest.mark.slow
def test_clusters_with_tails_that_are_level_with_em_are_good(law: str) -> None:
    """Six tables: the pass before, and the histogram beside what was known before it, call all of them poor."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rows = rng.standard_t(5, (9000, 3)) if law == "t(5)" else rng.exponential(size=(9000, 3))
        rows += np.eye(1, 3) * 12.0 * (rng.random((9000, 1)) < 0.6)
        model = PrivateGaussianMixture(2, epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=200.0, simulate=seed)
        best = GaussianMixture(2, n_init=10, random_state=0).fit(rows)
        if best.score(rows) - model.fit(rows).score(rows) < 0.05:
            assert model.quality_["verdict"] == "good", seed


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
    never = attrs.evolve(widening.AMPLE, sure=np.inf)
    monkeypatch.setattr(widening, "AMPLE", never)
    monkeypatch.setattr(averaging, "AMPLE", never)
    assert behind() > 0.8
    assert "uncertainty states" not in model.quality_["why"]


def gathered(rows: np.ndarray, clips: list[float]) -> float:
    """Trace of a component's covariance after gathered passes without noise, of which they are told a little."""
    model = Mixture([1.0], np.zeros((1, rows.shape[1])), np.eye(rows.shape[1])[None])
    for clip in clips:
        seen = (rows - model.means[0]) @ np.linalg.inv(model.cholesky[0]).T
        seen *= np.minimum(1.0, clip / np.linalg.norm(seen, axis=1, keepdims=True))
        noise = 8.0 * clip**2
        moments = Moments(
            clip=clip,
            counts=[len(rows)],
            sums=seen.sum(axis=0)[None],
            grams=(seen.T @ seen)[None],
            count_std=8.0,
            sum_std=noise / clip,
            gram_std=noise,
        )
        model = gathering.update(model, moments)
    return float(np.trace(model.covariances[0]))


def test_two_wide_passes_outweigh_what_ten_narrow_ones_saw() -> None:
    rows = np.exp(np.random.default_rng(0).standard_normal((3000, 2)))
    rows -= rows.mean(axis=0)
    true = float(np.trace(np.cov(rows.T)))
    narrow, wide = gathered(rows, [1.2] * 12), gathered(rows, [1.2] * 10 + [4.8] * 2)
    assert narrow < 0.5 * true
    assert 0.6 * true < wide < true


def test_the_last_passes_wait_for_the_histogram_where_rows_are_not_many() -> None:
    @dp.program
    def learn(x: dp.Handle) -> dp.Handle:
        return dp.apply("found", dp.recipe("practical_mixture", k=3, bound=10.0), x)

    budget = dp.approx_dp(epsilon=1.0, delta=1e-6)
    for n, waiting in ((100_000, 1), (2_000, 2), (2_000_000, 0)):
        plan = dp.plan(learn, x=dp.rows(n=n, d=3), adjacency=dp.REPLACE_ONE, budget=budget)
        assert plan.verdict.holds
        assert sum(row["operation"] == "practical.widened" for row in plan.to_json()["nodes"]) == waiting
