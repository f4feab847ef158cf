"""What passes see is gathered; components that found no rows are given the halves of others."""

from __future__ import annotations

import attrs
import numpy as np
import pytest
from scipy.stats import norm

from dpframe.plugin import BallValue
from dpframe_plugins.practical import clipping, gathering, goodness, passes
from dpframe_plugins.practical.averaging import Average
from dpframe_plugins.practical.deconvolution import Starts
from dpframe_plugins.practical.records import Floats, Mixture, Moments, as_floats
from tests.plugins.practical.float_kernel import augmented_grams

CLIP, ALARM = 3.0, 1e-6


def noisy(rng: np.random.Generator, d: int, mean: Floats, count: float, std: float) -> Moments:
    """Of one component N(mean, I), seen by N(0, I) through a clip that does nothing."""
    matrix = std * rng.standard_normal((1, d, d))
    second = count * (np.eye(d) + np.outer(mean, mean)) + 0.5 * (matrix + np.swapaxes(matrix, 1, 2)) / 2**0.5
    sums = count * mean + std * rng.standard_normal((1, d))
    return Moments(
        clip=30.0, counts=np.full(1, count), sums=sums, grams=second, count_std=1.0, sum_std=std, gram_std=std
    )


def seen_by(rows: Floats, model: Mixture, std: float) -> Moments:
    anchor = clipping.SCARCE.anchor * CLIP
    return passes.split_augmented(augmented_grams(rows, model, CLIP, anchor), CLIP, std, anchor)


def unit(weights: list[float], means: Floats, widths: list[float] | None = None) -> Mixture:
    d = means.shape[1]
    sizes = np.ones(len(means)) if widths is None else np.array(widths)
    return Mixture(weights, means, sizes[:, None, None] * np.eye(d))


def test_what_a_component_that_stays_sees_is_averaged(rng: np.random.Generator) -> None:
    d, count, std, times = 4, 1e4, 300.0, 9
    model, start = unit([1.0], np.zeros((1, d))), unit([1.0], np.zeros((1, d)))
    for _ in range(times):
        model = gathering.update(attrs.evolve(start, gathered=model.gathered), noisy(rng, d, np.zeros(d), count, std))
    now = model.gathered
    one = (std / count) ** 2
    assert one / times <= now.mean_variances[0] < 5.0 * one / times
    bound = -norm.ppf(ALARM / 2 / (d + d * d)) * 1.1  # variances are never too small
    assert np.abs(now.means).max() < bound * now.mean_variances[0] ** 0.5
    assert np.abs(now.covariances - np.eye(d)).max() < bound * now.entry_variances[0] ** 0.5


def test_what_moved_by_more_than_noise_counts_against_the_older_pass(rng: np.random.Generator) -> None:
    d, count, std = 3, 1e4, 30.0
    start, far = unit([1.0], np.zeros((1, d))), np.array([1.0, 0.0, 0.0])
    first = gathering.update(start, noisy(rng, d, np.zeros(d), count, std))
    model = gathering.update(attrs.evolve(start, gathered=first.gathered), noisy(rng, d, far, count, std))
    assert np.abs(model.gathered.means[0] - far).max() < 0.05  # a plain average is half way


def test_a_move_that_noise_explains_is_not_made(rng: np.random.Generator) -> None:
    d, count, std = 12, 1000.0, 400.0
    moved = []
    for _ in range(30):
        found = gathering.update(unit([1.0], np.zeros((1, d))), noisy(rng, d, np.zeros(d), count, std))
        moved.append((np.linalg.norm(found.means[0]), np.linalg.norm(found.gathered.means[0])))
    made, seen = np.mean(moved, axis=0)
    assert made < 0.3 * seen
    wide = gathering.update(unit([1.0], np.zeros((1, d))), noisy(rng, d, np.full(d, 1.1), count, std))
    assert np.linalg.norm(wide.means[0]) > 0.8 * 1.1 * d**0.5


def last_error(rng: np.random.Generator) -> float:
    """Of the last of twelve passes' means, over the noise of all of them; the start is far off."""
    d, count, std, times = 100, 1000.0, 60.0, 12
    model, truth, errors = unit([1.0], np.zeros((1, d))), 6.0 * np.eye(d)[0], []
    for _ in range(40):
        for _ in range(times):
            model = gathering.update(model, noisy(rng, d, truth - model.means[0], count, std))
            model = attrs.evolve(model, cholesky=np.eye(d)[None])
        errors.append(np.linalg.norm(model.means[0] - truth))
        model = unit([1.0], np.zeros((1, d)))
    return float(np.mean(errors)) / (std / count * (d / times) ** 0.5)


def test_means_of_many_columns_do_not_lag(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model has its mean from some of the passes: it stays there where noise explains the move (1.29, not 1.07).

    Both lie more than six deviations of their noise from the bound.
    """
    assert last_error(rng) < 1.16
    monkeypatch.setattr(gathering, "HALFWAY", 0.0)
    assert last_error(rng) > 1.16


def long_one(rng: np.random.Generator, truth: Floats, std: float) -> list[Mixture]:
    """What twelve passes make of a component with this covariance, one after the other."""
    d, count = len(truth), 1000.0
    models = [Mixture([1.0], np.zeros((1, d)), truth.mean() * d * np.eye(d)[None])]
    for _ in range(12):
        inverse = np.linalg.inv(models[-1].cholesky[0])
        moments = noisy(rng, d, np.zeros(d), count, std)
        grams = moments.grams + count * (inverse @ truth @ inverse.T - np.eye(d))
        models.append(gathering.update(models[-1], attrs.evolve(moments, grams=grams, sums=np.zeros((1, d)))))
    return models


def covariance_errors(rng: np.random.Generator, d: int, longer: float, std: float) -> tuple[float, float]:
    """Nats that covariances of twelve passes cost, and those of the result, of one so many times as long as thick."""
    truth, lost = np.diag(np.geomspace(1.0, longer**2, d)), []
    for _ in range(10):
        model = long_one(rng, truth, std)[-1]
        ratios = [np.linalg.solve(m.covariances[0], truth) for m in (model, gathering.pulled(model)[0])]
        lost.append([0.5 * (np.trace(r) - d - np.linalg.slogdet(r)[1]) for r in ratios])
    passes_cost, result_costs = np.mean(lost, axis=0)
    return float(passes_cost), float(result_costs)


def test_covariances_of_many_columns_do_not_lag(rng: np.random.Generator) -> None:
    """And where they are spheres little is lost."""
    lagging, found = covariance_errors(rng, 30, 20.0, 150.0)
    assert found < 0.8 * lagging  # .46 and .74
    right, found = covariance_errors(rng, 30, 1.0, 150.0)
    assert found < 1.5 * right  # .0037 and .0034
    few, same = covariance_errors(rng, 6, 20.0, 30.0)
    assert same == pytest.approx(few, rel=0.01)
    few, same = covariance_errors(rng, 3, 20.0, 30.0)
    assert few == same


def widths(model: Mixture, other: Mixture) -> Floats:
    """Variances of a mixture's component over another's, in the directions in which they differ most."""
    inverse = np.linalg.inv(other.cholesky[0])
    return as_floats(np.linalg.eigvalsh(inverse @ model.covariances[0] @ inverse.T))


def test_covariances_do_not_become_narrower_where_rows_lie_farther_out(rng: np.random.Generator) -> None:
    """They grow half of the way to the rows' size, and become wider where they did without."""
    model = long_one(rng, np.diag(np.geomspace(1.0, 400.0, 30)), 150.0)[-1]
    usual, wide = (widths(gathering.pulled(model, size)[0], model) for size in (1.0, 1.21))
    assert usual[0] < 0.9
    assert usual[-1] > 1.1
    assert wide[0] > 1.0
    assert wide[-1] == pytest.approx(1.1 * usual[-1], rel=0.01)


def test_a_histogram_of_log_densities_says_that_rows_lie_farther_out(rng: np.random.Generator) -> None:
    """Then the result is nowhere narrower than passes left it; where it is the mixture's own, it may be."""
    d = 30
    models = long_one(rng, np.diag(np.geomspace(1.0, 400.0, d)), 150.0)[-2:]
    operation = Average(k=1, shares=(1.0,), gathered=(1.0,))
    own = 2000.0 * np.diff([0.0, *goodness.QUANTILES, 1.0])
    far = own + np.array([200.0, *np.zeros(len(own) - 1)])  # more rows of the lowest densities
    seen = []
    for counts in (own, far):
        released = np.zeros((goodness.EDGES + 1,) * 2)
        released[len(goodness.FARTHER) :, -1] = counts
        values = (BallValue(np.zeros(d), 1.0), released.ravel(), Starts(()), *models)
        found = operation.apply_noisy(values, (0.0, 1.0, *np.zeros(len(values) - 2)))
        seen.append(widths(Mixture(found.weights, found.means, np.linalg.cholesky(found.covariances)), models[-1])[0])
    assert seen[0] < 0.9
    assert seen[1] > 1.0


def test_a_start_far_from_its_rows_does_not_collapse(rng: np.random.Generator) -> None:
    """All rows are clipped on one side: what is left of their second moment about the mean is nothing."""
    model = unit([1.0], np.zeros((1, 8)))
    rows = rng.standard_normal((2000, 8)) + 9.0 * np.eye(8)[0]
    for _ in range(6):
        model = gathering.update(model, seen_by(rows, model, 1.0))
        assert np.linalg.eigvalsh(model.covariances[0]).min() > 0.3
    assert np.linalg.norm(model.means[0] - 9.0 * np.eye(8)[0]) < 0.3


def test_noise_in_a_size_is_no_shape(rng: np.random.Generator) -> None:
    """A size that noise made small was put right by a factor, which made a shape of the noise in many columns."""
    d, std = 38, 1.3
    for _ in range(10):
        seen = noisy(rng, d, np.zeros(d), 1.0, 2.0**0.5 * std).grams[0] - 0.54 * np.eye(d)
        found = gathering._pulled(np.zeros(d), seen, 0.01, std**2, [np.eye(d)], [1.0])[1]
        values = np.linalg.eigvalsh(found)
        assert values[-1] < 1.1 * values[0]


def levels(levels: list[float], counts: list[float], clip: float, gram_std: float) -> Moments:
    """Of components at their means, with these second moments of clipped rows."""
    k, d = len(levels), 38
    grams = np.array(counts)[:, None, None] * np.array(levels)[:, None, None] * np.eye(d)
    return Moments(clip, counts, np.zeros((k, d)), grams, 84.0, 300.0, gram_std)


def test_sizes_that_noise_explains_are_the_same_for_all() -> None:
    """Seen in 38 columns: two components that are both too wide, the narrower one then lost all its rows."""
    moments = levels([0.85, 0.5], [3463.0, 1840.0], 6.7, 2400.0)
    model = unit([0.65, 0.35], 9.0 * np.eye(2, 38))
    sizes = [np.trace(c) / 38 for c in gathering.update(model, moments).covariances]
    assert max(sizes) < 1.3 * min(sizes)
    apart = levels([0.85, 0.3], [34630.0, 18400.0], 6.7, 2400.0)  # a tenth of the noise
    sizes = [np.trace(c) / 38 for c in gathering.update(model, apart).covariances]
    assert max(sizes) > 2.0 * min(sizes)


@pytest.mark.parametrize(("width", "cut"), [(1.0, False), (6.0, True)])
def test_what_is_far_longer_than_noise_is_cut_however_few_its_rows(width: float, cut: bool) -> None:
    d, count, std = 29, 3000.0, 1200.0
    means = np.array([np.zeros(d), 30.0 * np.eye(d)[1], 60.0 * np.eye(d)[2]])
    shapes = np.repeat(np.eye(d)[None], 3, axis=0)
    shapes[0, 0, 0] = width
    model = Mixture([0.5, 0.5, 1e-6], means, shapes)
    grams = np.array([count * np.eye(d), count * np.eye(d), 0.0 * np.eye(d)])
    moments = Moments(
        clip=30.0, counts=[count, count, 0.0], sums=np.zeros((3, d)), grams=grams, count_std=60.0, sum_std=200.0,
        gram_std=std,
    )  # fmt: skip
    assert (gathering.update(model, moments, mends=True, cuts=True).gathered.cuts == ((2, 0),)) == cut


@pytest.mark.parametrize("noise", [1.0, 20.0])
def test_an_empty_component_takes_one_of_two_clusters_that_share_one(noise: float, rng: np.random.Generator) -> None:
    """The first one cut is a long Gaussian, its halves are put together again: then the right one is cut."""
    truth = np.array([[0.0, 0.0, 0.0], [9.0, -2.5, 0.0], [9.0, 2.5, 0.0]])
    rows = np.repeat(truth, [6000, 1500, 1500], axis=0) + rng.standard_normal((9000, 3)) * [1.0, 1.0, 1.0]
    rows[:6000, 2] *= 3.0
    wide = np.repeat(np.eye(3)[None], 3, axis=0)
    wide[0, 2, 2], wide[1, 1, 1] = 3.0, 2.7
    model = Mixture([2 / 3, 1 / 3, 1e-6], [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [-40.0, 0.0, 0.0]], wide)
    for t in range(8):
        moments = seen_by(rows, model, noise)
        model = gathering.update(model, moments, mends=t < 6, cuts=t < 5)
    gaps = np.linalg.norm(model.means[None] - truth[:, None], axis=2)
    assert gaps.min(axis=1).max() < 0.5
    assert set(gaps.argmin(axis=1)) == {0, 1, 2}
    assert 0 in model.gathered.whole


@pytest.mark.parametrize("d", [1, 2, 3, 15, 40])
def test_the_clip_for_scarce_rows_has_less_noise_in_means(d: int) -> None:
    multiplier = 20.0

    def variances(rule: clipping.Rule) -> tuple[float, float]:
        clip = clipping.clip_radius(d, 3000.0, 10, multiplier, rule)
        std = multiplier * 2.0**0.5 * (1.0 + rule.anchor**2) * clip**2
        return clipping.predicted_variances(d, clip, 300.0, std, rule)

    scarce, usual = variances(clipping.SCARCE), variances(clipping.PLENTY)
    assert scarce[0] < (0.83 if d < 3 else 0.75) * usual[0]
    assert scarce[1] < (1.5 if d < 3 else 1.3) * usual[1]


def test_passes_without_rows_change_nothing_that_is_known() -> None:
    model = unit([0.5, 0.5], np.array([[0.0, 0.0], [3.0, 0.0]]))
    none = Moments(
        clip=CLIP, counts=np.zeros(2), sums=np.zeros((2, 2)), grams=np.zeros((2, 2, 2)), count_std=10.0, sum_std=10.0,
        gram_std=10.0,
    )  # fmt: skip
    for _ in range(3):
        model = gathering.update(model, none, mends=True, cuts=True)
    np.testing.assert_allclose(model.means, [[0.0, 0.0], [3.0, 0.0]])
    assert (model.noise > 1.5).all()
