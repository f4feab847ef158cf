"""Counts of planes: what is counted, the fit to all of them, the search, and what passes make of the start."""

from __future__ import annotations

import attrs
import numpy as np
import pytest

from dpframe_plugins.practical import gathering, plane_fits, plane_search, planes
from dpframe_plugins.practical.planes import Parts, Planes
from dpframe_plugins.practical.records import Floats, Mixture


def counted(rows: Floats, std: float, rng: np.random.Generator, frames: Floats | None = None) -> Planes:
    """Noisy counts of rows in the planes, told as those of other ``frames`` where these are given."""
    own, inner = planes.frames(rows.shape[1], 0), np.array(planes.edges(planes.SIDE)[0])
    counts = np.zeros((len(own), planes.SIDE, planes.SIDE))
    for plane, pair in zip(counts, own, strict=True):
        across, up = (np.searchsorted(inner, column, side="right") for column in (rows @ pair).T)
        np.add.at(plane, (across, up), 1.0)
    noisy = counts + std * rng.standard_normal(counts.shape)
    return Planes(own if frames is None else frames, noisy, std**2, float(len(rows)))


def clusters(k: int, p: int, each: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Rows, and centres at least .45 apart, of clusters of deviation .06."""
    centres = rng.normal(0.0, 0.22, (1, p))
    while len(centres) < k:
        new = rng.normal(0.0, 0.22, p)
        if np.linalg.norm(centres - new, axis=1).min() > 0.45:
            centres = np.concatenate([centres, new[None]])
    rows = np.repeat(centres, each, axis=0)
    return rows + 0.06 * rng.standard_normal(rows.shape), centres


def lost(means: Floats, centres: Floats) -> int:
    return int((np.linalg.norm(means[None] - centres[:, None], axis=2).min(axis=1) > 0.1).sum())


@pytest.mark.parametrize("rank", [4, 5, 13])
def test_frames_are_pairs_of_directions_and_see_all_of_them(rank: int) -> None:
    frames = planes.frames(rank, 3)
    assert np.allclose(np.swapaxes(frames, 1, 2) @ frames, np.eye(2))
    assert np.linalg.matrix_rank(np.concatenate(list(frames), axis=1)) == rank
    assert len(frames) == planes.planes_for(rank)
    assert not np.allclose(frames, planes.frames(rank, 4))


def test_what_is_expected_is_what_rows_show(rng: np.random.Generator) -> None:
    rows, centres = clusters(3, 5, 30_000, rng)
    data = counted(rows, 1e-3, rng)
    model = Parts(np.full(3, 1 / 3), centres, np.repeat(0.06**2 * np.eye(5)[None], 3, axis=0))
    total = planes.view(data, model).total
    assert total.sum(axis=(1, 2)) == pytest.approx(90_000, rel=0.01)
    assert np.abs(total - data.counts).sum() < 0.2 * data.counts.sum()  # a cell is as wide as two deviations
    off = attrs.evolve(model, means=centres + 0.1)
    assert np.abs(planes.view(data, off).total - data.counts).sum() > 1.0 * data.counts.sum()


@pytest.mark.parametrize("spheres", [True, False])
def test_slopes_are_those_of_the_score(spheres: bool, rng: np.random.Generator) -> None:
    """Along each component's log weight, mean and size, or covariance, by differences."""
    rows, centres = clusters(3, 4, 2_000, rng)
    problem = plane_fits.Problem.of(counted(rows, 20.0, rng))
    sizes = np.array([0.004, 0.006, 0.009])
    model = Parts(np.array([0.5, 0.2, 0.3]), centres + 0.03, sizes[:, None, None] * np.eye(4))
    seen = planes.view(problem.data, model)
    slopes, _ = plane_fits._equations(problem, model, seen, spheres=spheres)
    step, j = 1e-5, 1

    for axis in range(4):
        ends = []
        for sign in (1.0, -1.0):
            means = model.means.copy()
            means[j, axis] += sign * step
            ends.append(problem.score(attrs.evolve(model, means=means)))
        assert slopes[j, 1 + axis] == pytest.approx((ends[0] - ends[1]) / (2.0 * step), rel=1e-3, abs=0.5)
    change = np.eye(4) if spheres else problem.basis[1]
    ends = []
    for sign in (1.0, -1.0):
        covariances = model.covariances.copy()
        covariances[j] += sign * step * sizes[j] * change
        ends.append(problem.score(attrs.evolve(model, covariances=covariances)))
    found = slopes[j, 5] if spheres else slopes[j, 5 + 1]
    assert found == pytest.approx((ends[0] - ends[1]) / (2.0 * step), rel=1e-3, abs=0.5)


@pytest.mark.parametrize("spheres", [True, False])
def test_steps_make_the_counts_likelier_and_bring_means_home(spheres: bool, rng: np.random.Generator) -> None:
    rows, centres = clusters(4, 5, 3_000, rng)
    problem = plane_fits.Problem.of(counted(rows, 40.0, rng))
    means = centres + rng.normal(0.0, 0.03, centres.shape)
    start = Parts(np.full(4, 0.25), means, np.repeat(0.01 * np.eye(5)[None], 4, 0))
    scores = [problem.score(start)]
    for most in (1, 3, 10):
        model, score = plane_fits.fitted(problem, start, most, spheres=spheres)
        assert score == pytest.approx(problem.score(model))
        scores.append(score)
    assert scores == sorted(scores)
    before, after = (np.linalg.norm(found - centres, axis=1).max() for found in (means, model.means))
    assert after < 0.5 * before
    assert model.sizes == pytest.approx(0.06**2, rel=0.4)


@pytest.mark.slow
def test_clusters_that_no_threshold_shows_are_found_in_all_planes_at_once(rng: np.random.Generator) -> None:
    """Eight of 700 rows in seven directions, counts with noise of 60; told with other planes they say nothing."""
    rows, centres = clusters(8, 7, 700, rng)
    data = counted(rows, 60.0, rng)
    found = plane_search.likeliest(data, 8, 0)
    assert lost(found.means, centres) == 0
    assert found.weights == pytest.approx(0.125, abs=0.06)
    wrong = plane_search.Search.of(attrs.evolve(data, frames=planes.frames(7, 1)), 0)
    assert lost(plane_search._grown(wrong, 8).means, centres) > 3


@pytest.mark.slow
def test_a_table_whose_clusters_are_below_the_threshold_of_a_cell() -> None:
    """Twelve clusters of 430 to 540 rows in five columns: two were lost with nested cells, with every noise."""
    bench = pytest.importorskip("bench.random_mixtures")
    found = bench.fitted(bench.instance(63).table, 63, 1.0, 0.0)
    assert found["error"] < 1.0


def test_without_rows_the_search_still_ends(rng: np.random.Generator) -> None:
    found = plane_search.likeliest(counted(np.zeros((0, 3)), 50.0, rng), 2, 0)
    assert found.weights.sum() == pytest.approx(1.0)
    assert np.isfinite(found.means).all()
    assert np.linalg.eigvalsh(found.covariances).min() > 0.0


def test_parts_of_a_component_are_what_the_start_knew_of_and_the_rest(rng: np.random.Generator) -> None:
    basis = np.linalg.qr(rng.standard_normal((6, 2)))[0]
    lower = np.linalg.cholesky(0.3 * basis @ basis.T + np.eye(6))
    inside, outside = gathering._parts(lower, basis)
    assert (inside.shape, outside.shape) == ((6, 2), (6, 4))
    both = np.concatenate([inside, outside], axis=1)
    assert np.allclose(both.T @ both, np.eye(6))
    assert np.abs((lower @ inside).T @ np.linalg.qr(np.concatenate([basis, np.eye(6)], axis=1))[0][:, 2:6]).max() < 1e-9
    (whole,) = gathering._parts(lower, None)
    assert np.allclose(whole, np.eye(6))


def test_a_width_outside_the_subspace_is_seen_where_a_shape_is_not(rng: np.random.Generator) -> None:
    """Noise of .5 in an entry hides which of 66 are off; the mean of nine directions' variances it does not hide."""
    d, p = 12, 3
    basis = np.eye(d)[:, :p]
    truth = np.diag(np.r_[np.ones(p), np.full(d - p, 2.5)])
    raw = 0.5 * rng.standard_normal((d, d))
    seen = truth + np.tril(raw, -1) / 2**0.5 + np.tril(raw, -1).T / 2**0.5 + np.diag(np.diag(raw))
    widths = {}
    for known in (basis, None):
        parts = gathering._parts(np.eye(d), known)
        pulled = gathering._pulled(np.zeros(d), seen, 1e-3, 0.25, parts, [1.0] * len(parts))[1]
        widths[known is None] = np.diagonal(pulled)[p:].mean() / np.diagonal(pulled)[:p].mean()
    assert widths[False] > 1.8
    assert widths[True] < 1.6


def test_a_first_mixture_tells_passes_where_it_was_found() -> None:
    from dpframe_plugins.practical import seeding
    from dpframe_plugins.practical.deconvolution import lift
    from dpframe_plugins.practical.fitting import Full
    from dpframe_plugins.practical.subspace import Subspace, identity_subspace

    part, whole = Subspace(np.eye(5)[:, :2], 0.1), identity_subspace(2)
    spheres = seeding.Spherical(np.ones((1, 1)), np.zeros((1, 1, 2)), np.full((1, 1), 0.2))
    full = Full(np.ones((1, 1)), np.zeros((1, 1, 2)), 0.2 * np.eye(2)[None, None])
    for make, model in ((seeding.lift, spheres), (lift, full)):
        found: Mixture = make(model, part)
        assert found.basis is part.basis
        assert make(model, whole).basis is None
