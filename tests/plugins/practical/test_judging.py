"""A poor mixture says so, from released values alone: on rows that no generator of ours made."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
import pytest
from sklearn import datasets

from dpframe.errors import RunError
from dpframe.front.estimators import PrivateGaussianMixture
from dpframe.plugin import BallValue, Failed
from dpframe_plugins.practical import gathering, goodness, judging
from dpframe_plugins.practical.averaging import Average
from dpframe_plugins.practical.deconvolution import Starts
from dpframe_plugins.practical.passes import relative_noise
from dpframe_plugins.practical.records import Mixture, Moments

UNIT = Mixture([0.5, 0.5], [[0.0, 0.0], [5.0, 0.0]], np.array([np.eye(2)] * 2), np.array([0.1, 0.1]))


def moved(by: float) -> Mixture:
    return attrs.evolve(UNIT, means=UNIT.means + np.array([by, 0.0]))


TRADED = attrs.evolve(UNIT, means=UNIT.means[::-1])


@pytest.mark.parametrize(
    ("models", "verdict"),
    [
        ((UNIT, UNIT, UNIT), "good"),
        ((moved(1.5), UNIT, UNIT), "good"),  # came to rest one pass ago
        ((moved(1.5), moved(0.8), UNIT), "poor"),
        ((moved(0.4), moved(0.2), UNIT), "good"),  # .02
        ((attrs.evolve(UNIT, cholesky=2.0 * UNIT.cholesky), moved(0.6), UNIT), "poor"),
        ((moved(0.8), UNIT), "poor"),
        ((UNIT, moved(0.8), UNIT), "good"),  # there and back
        ((moved(0.6), moved(0.4), UNIT), "poor"),  # .08
        ((moved(0.6), moved(0.4), attrs.evolve(UNIT, noise=np.array([0.5, 0.5]))), "good"),  # noise costs .047
        ((TRADED, TRADED, UNIT), "good"),  # each moved by five deviations, the density by nothing
        ((UNIT, UNIT, attrs.evolve(UNIT, noise=np.array([0.1, 0.7]))), "good"),
        ((UNIT, UNIT, attrs.evolve(UNIT, noise=np.array([0.1, 0.9]))), "poor"),
        ((attrs.evolve(UNIT, noise=np.array([9.0, 9.0])), UNIT, UNIT), "good"),
    ],
)
def test_noise_and_movement_of_the_last_passes(models: Any, verdict: str) -> None:
    assert judging.judge(models).verdict == verdict


@pytest.mark.parametrize(("by", "verdict"), [(0.0, "good"), (0.5, "good"), (1.0, "poor")])
def test_a_slow_drift_over_many_passes_is_poor(by: float, verdict: str) -> None:
    """Two components of weight a half, one deviation each: half a nat. The last passes alone show none of it."""
    assert judging.judge((moved(0.4), moved(0.2), UNIT), early=(TRADED,)).verdict == "good"
    last = (moved(0.4), moved(0.2), UNIT)
    assert judging.judge(last, early=(moved(by),)).verdict == verdict
    assert judging.judge(last).verdict == "good"
    assert judging.judge((UNIT, UNIT, UNIT), early=(moved(by),)).verdict == "good"  # came to rest since


@pytest.mark.parametrize(
    ("noise", "verdict"),
    [([0.5, 0.5], "good"), ([0.6, 0.6], "poor"), ([0.1, 0.8], "poor"), ([0.8, 0.1], "poor"), ([0.0, 0.7], "good")],
)
def test_the_noise_of_all_components_is_counted_in_nats(noise: list[float], verdict: str) -> None:
    """In two dimensions 3/16 of the mean square."""
    model = attrs.evolve(UNIT, noise=np.array(noise))
    assert judging.judge((model, model)).verdict == verdict


@pytest.mark.parametrize(
    ("noise", "left", "verdict"),
    [(1.2, 0.2, "good"), (1.2, 0.5, "poor"), (2.5, 0.1, "poor"), (10.0, 0.0, "poor"), (0.7, 0.9, "good")],
)
def test_noise_that_a_shared_shape_takes_off_is_no_reason(noise: float, left: float, verdict: str) -> None:
    """Unless a component has so much that it found no rows."""
    model = attrs.evolve(UNIT, noise=np.array([0.1, noise]))
    assert judging.judge((model, model), np.array([1.0, left])).verdict == verdict


@pytest.mark.parametrize(("by", "noise", "verdict"), [(0.4, 0.6, "good"), (0.4, 0.1, "poor"), (0.5, 0.6, "poor")])
def test_what_a_trial_pass_has_of_noise_is_no_movement(by: float, noise: float, verdict: str) -> None:
    """Where the last pass clipped farther out: .08 and .125 nats, .068 of them by noise of .6."""
    trial = attrs.evolve(moved(by), noise=np.array([noise, noise]))
    assert judging.judge((trial, UNIT, moved(9.0)), widened=True).verdict == verdict


@pytest.mark.parametrize(("elsewhere", "verdict"), [(0.0, "good"), (0.07, "good"), (0.09, "poor")])
def test_a_start_that_the_cells_prefer_is_poor(elsewhere: float, verdict: str) -> None:
    quality = judging.judge((UNIT, UNIT), elsewhere=elsewhere)
    assert quality.verdict == verdict
    assert ("the cells prefer" in quality.why) == (verdict == "poor")


@pytest.mark.parametrize(
    ("shortfall", "error", "said"),
    [
        (0.2, 0.1, ""),  # two deviations of the noise
        (0.4, 0.01, "nats less likely in the mean"),  # other sizes would gain .04
        (-0.4, 0.01, ""),  # .06, but many a mixture level with EM's is wider than its rows
        (-0.9, 0.01, "nats likelier in the mean"),
    ],
)
def test_rows_less_likely_than_the_mixtures_own_are_sooner_poor_than_likelier_ones(
    shortfall: float, error: float, said: str
) -> None:
    quality = judging.judge((UNIT, UNIT), fit=goodness.Fit(shortfall, error, 3))
    assert quality.verdict == ("poor" if said else "good")
    assert said in quality.why


@pytest.mark.parametrize(
    ("fit", "said"),
    [
        (goodness.Fit(0.12, 0.1, 3, beyond=0.03), "one more, wide component"),
        (goodness.Fit(0.05, 0.1, 3, beyond=0.03), ""),  # EM's optimum leaves rows there too
        (goodness.Fit(0.12, 0.1, 3, beyond=0.01), ""),  # .12 may be noise
        (goodness.Fit(0.25, 0.03, 3), "other sizes of its covariances"),  # nassCDS, 2.8 nats behind
        (goodness.Fit(0.23, 0.05, 2), ""),  # taxi, .04 behind
    ],
)
def test_rows_far_outside_that_covariances_lack_are_poor(fit: goodness.Fit, said: str) -> None:
    quality = judging.judge((UNIT, UNIT), fit=fit)
    assert quality.verdict == ("poor" if said else "good")
    assert said in quality.why
    assert ("tail=true" in quality.why) == bool(said)


@pytest.mark.parametrize(
    ("fit", "verdict"),
    [
        (goodness.Fit(0.08, 0.1, 3, unseen=0.4), "unchecked"),
        (goodness.Fit(0.08, 0.1, 3, unseen=0.3), "good"),  # .48 nats less likely at most
        (goodness.Fit(0.08, 0.1, 8, unseen=0.4), "good"),  # .58 are less in eight columns
        (goodness.Fit(0.08, 0.1, 8, unseen=0.6), "unchecked"),
        (goodness.Fit(0.0, 0.05, 3, unseen=0.6), "good"),  # heavy tails, and rows enough to tell
        (goodness.Fit(0.2, 0.4, 3), "good"),  # nothing stands out: such is noise alone where rows are few
        (goodness.Fit(0.4, 0.01, 3, unseen=0.4), "poor"),  # other sizes would gain .04
    ],
)
def test_rows_outside_that_may_cost_more_than_is_seen_leave_it_unchecked(fit: goodness.Fit, verdict: str) -> None:
    quality = judging.judge((UNIT, UNIT), fit=fit)
    assert quality.verdict == verdict
    assert ("too few to tell how much" in quality.why) == (verdict == "unchecked")
    assert judging.judge((moved(1.5), moved(0.8), UNIT), fit=fit).verdict == "poor"


@pytest.mark.parametrize(
    ("models", "count"),
    [
        ((UNIT, UNIT, UNIT), 3),
        ((moved(1.5), moved(0.7), UNIT), 2),  # 0.7 is within four times 0.2
        ((moved(0.7), moved(0.9), UNIT), 1),  # none before one that moved
        ((UNIT,), 1),
    ],
)
def test_passes_that_still_move_are_not_averaged(models: Any, count: int) -> None:
    assert judging.settled(models) == count


def test_a_component_without_rows_is_all_noise() -> None:
    grams = np.array([np.eye(2) * 1e4, np.eye(2)])
    noise = relative_noise(Moments(3.0, [1e4, -5.0], np.zeros((2, 2)), grams, 10.0, 10.0, 20.0))
    assert noise[0] < 0.01
    assert noise[1] > 10.0


def fitted(x: Any, k: int, seed: int) -> PrivateGaussianMixture:
    bound = float(np.linalg.norm(x, axis=1).max() * 5)
    model = PrivateGaussianMixture(k, epsilon=1.0, delta=1e-6, adjacency="replace_one", bound=bound, simulate=seed)
    return model.fit(x)


def test_wine_is_not_silent() -> None:
    """178 rows: seeds are fixed, so nothing here is by chance."""
    with pytest.raises(RunError, match="noise drowns the table"):
        fitted(datasets.load_wine().data, 3, 0)


@pytest.mark.parametrize(
    ("noise", "fails"), [([0.1, 9.0], False), ([1.4, 1.4], False), ([1.6, 2.0], True), ([], False)]
)
def test_a_result_that_is_noise_alone_fails(noise: list[float], fails: bool) -> None:
    assert (judging.drowned(attrs.evolve(UNIT, noise=np.array(noise))) is not None) == fails


@pytest.mark.parametrize(
    ("known", "variance", "fails"),
    [([True, True], 0.1, False), ([True, True], 0.6, True), ([True, False], 0.1, True)],
)
def test_gathered_means_that_are_known_do_not_drown_with_the_covariances(
    known: list[bool], variance: float, fails: bool
) -> None:
    zeros = np.zeros(2)
    seen = gathering.Gathered(
        counts=zeros, count_variances=zeros, means=UNIT.means, covariances=UNIT.covariances, roots=UNIT.cholesky,
        mean_variances=np.full(2, variance), entry_variances=np.full(2, 9.0), known=np.array(known),
    )  # fmt: skip
    model = attrs.evolve(UNIT, noise=np.array([2.0, 2.0]), gathered=seen)
    assert (judging.drowned(model) is not None) == fails
    assert judging.judge((UNIT, model)).verdict == "poor"


@pytest.mark.parametrize("may_drown", [False, True])
def test_covariances_of_noise_after_a_trusted_start_are_poor_and_not_lost(may_drown: bool) -> None:
    noisy = attrs.evolve(UNIT, noise=np.array([2.0, 2.0]), mean_noise=np.array([0.3, 0.3]))
    operation = Average(k=2, shares=(1.0,), may_drown=may_drown)
    fit = np.zeros((goodness.EDGES + 1) ** 2)
    values = (BallValue(np.zeros(2), 1.0), fit, Starts((UNIT,)), noisy, noisy)
    noise = (0.0, 1.0, 0.0, 0.0, 0.0)
    result = operation.apply_noisy(values, noise)
    assert isinstance(result, Failed) != may_drown
    found = operation.quality(values, noise, result)
    assert found.verdict == "poor"
    assert found.told["means"].tolist() == [0.3, 0.3]


@pytest.mark.parametrize(("n", "verdict"), [(2000, "poor"), (40_000, "good")])
def test_blobs_in_six_dimensions(n: int, verdict: str) -> None:
    x, _ = datasets.make_blobs(n, n_features=6, centers=4, random_state=1)
    quality = fitted(x, 4, 1).quality_
    assert quality["verdict"] == verdict, quality
    assert "covariance" in quality["why"]


def _total() -> Any:
    rng = np.random.default_rng(3)
    parts = rng.normal(size=(6000, 3)) + 10.0 * rng.integers(0, 2, (6000, 1))
    return np.column_stack([parts, parts.sum(axis=1)])


def _constant() -> Any:
    return np.column_stack([_total()[:, :2], np.full(6000, 7.0)])


def _redundant() -> Any:
    made: dict[str, Any] = {"n_features": 8, "n_informative": 5, "n_redundant": 2, "n_classes": 4}
    return datasets.make_classification(6000, n_clusters_per_class=1, class_sep=2.0, random_state=2, **made)[0]


@pytest.mark.parametrize(("table", "k"), [(_total, 2), (_constant, 2), (_redundant, 4)])
def test_columns_that_determine_one_another(table: Any, k: int) -> None:
    """Each pass finds such components narrower: they are held before float64 ends, and with it the run."""
    rows = table()
    model = PrivateGaussianMixture(k, epsilon=64.0, delta=1e-6, bound=1000.0, adjacency="replace_one", simulate=4)
    model.fit(rows)
    values = np.linalg.eigvalsh(model.covariances_)
    assert (values[:, 0] > 2.0**-31 * values[:, -1]).all()
    assert np.isfinite(model.score(rows))
    assert model.quality_["verdict"] == "good"


@pytest.mark.parametrize(
    ("tail", "gain", "verdict"), [(False, 0.03, "poor"), (True, 0.03, "good"), (True, 0.2, "poor")]
)
def test_where_a_tail_follows_rows_may_be_less_likely(tail: bool, gain: float, verdict: str) -> None:
    """Clusters of t(3) with a tail were called poor with every noise, ahead of EM, and told to take a tail."""
    shortfall = next(s for s in np.arange(0.0, 2.0, 0.001) if goodness.Fit(s, 0.0, 2).gain >= gain)
    found = judging.judge((UNIT, UNIT), fit=goodness.Fit(shortfall, 0.0, 2), tail=tail)
    assert found.verdict == verdict
    assert ("tail=true" in found.why) == (not tail)


def test_numbers_above_a_limit_are_seen_to_be() -> None:
    """``0.025 (poor above 0.025)`` was printed, and ``0 nats less likely (poor above 0)`` where there is no limit."""
    fit = goodness.Fit(-0.01, 0.1, 2, beyond=0.0601)
    assert judging.misfits(fit, judging.STRICT).startswith("; one more, wide component would gain at least 0.0601 nats")
    assert "less likely in the mean" in judging.misfits(goodness.Fit(0.4, 0.1, 2, beyond=0.03))
