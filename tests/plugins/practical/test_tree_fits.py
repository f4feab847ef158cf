"""Mixtures by all counts: EM climbs, truth is found where published cells mislead, moves find what EM cannot."""

from __future__ import annotations

import attrs
import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from dpframe_plugins.practical import dense, tree_fits
from dpframe_plugins.practical.fitting import Full
from dpframe_plugins.practical.records import Floats
from dpframe_plugins.practical.trees import Tree

NOISE = 26.0
MEANS = np.array([-0.8, -0.55, -0.3, 0.0, 0.2, 0.5, 0.8])
SIZES = np.array([0.05, 0.02, 0.06, 0.03, 0.02, 0.05, 0.06])
ROWS = np.array([900, 500, 900, 500, 500, 900, 900])


def noisy_counts(x: Floats, std: float, rng: np.random.Generator) -> list[Floats]:
    """A table's counts of all cells, on each grid."""
    columns = x.shape[1]
    released = []
    for side in dense.SIDES[columns]:
        edges = np.array(dense.edges(1, side)[0])
        place = np.zeros(len(x), dtype=np.int64)
        for column in x.T:
            place = place * 2**side + np.searchsorted(edges, column, side="right")
        counts = np.bincount(place, minlength=2 ** (side * columns)).astype(float)
        released.append(counts + std * rng.standard_normal(len(counts)))
    return released


def counted(x: Floats, std: float, rng: np.random.Generator) -> Tree:
    """The tree of a table's noisy counts."""
    columns, released = x.shape[1], noisy_counts(x, std, rng)
    return dense.nested(released, [std] * len(released), columns, (float(len(x)), 25.0))


@pytest.fixture
def line(rng: np.random.Generator) -> Tree:
    """Seven clusters of a few hundred rows on a line."""
    x = np.concatenate([m + s * rng.standard_normal(n) for m, s, n in zip(MEANS, SIZES, ROWS, strict=True)])
    return counted(x[:, None], NOISE, rng)


def model(means: Floats, sizes: Floats, weights: Floats) -> Full:
    """A mixture on a line, as a batch of one."""
    return Full((weights / weights.sum())[None], means[None, :, None], (sizes**2)[None, :, None, None])


def test_every_step_climbs(line: Tree) -> None:
    """Up to the prior, and to what the points round."""
    fit = tree_fits.Fit.to(line)
    start = tree_fits.Shape.of(model(MEANS + 0.04, np.full(7, 0.05), np.ones(7)))
    shape, scores = start, []
    for _ in range(25):
        shape, score = fit.step(shape, fit.points)
        scores.append(score)
    assert np.diff(scores).min() > -0.5
    assert scores[-1] > scores[0] + 50.0
    fast, score = fit.settled(
        tree_fits.Shape.of(model(MEANS + 0.04, np.full(7, 0.05), np.ones(7))), fit.points, 20, 0.5
    )
    assert score > scores[-1] - 1.0
    assert np.isfinite(fast.roots).all()


def test_moves_find_clusters_that_em_cannot(line: Tree) -> None:
    """Two components start in one cluster, and one lies over two."""
    poor = np.array([-0.82, -0.78, -0.42, 0.0, 0.2, 0.5, 0.8])
    start = model(poor, np.full(7, 0.05), np.ones(7))
    fit = tree_fits.Fit.to(line)
    stuck = fit.settled(tree_fits.Shape.of(start), fit.points, 60, 0.05)[0]
    found = np.sort(tree_fits.likeliest(line, [start]).means[0, :, 0])
    assert (np.abs(found - MEANS) < SIZES).all()
    assert not (np.abs(np.sort(stuck.means[:, 0]) - MEANS) < 2.0 * SIZES).all()


def test_thin_oblique_clusters_keep_their_shape(rng: np.random.Generator) -> None:
    """Six clusters thinner than a cell that counts most: mass by cells is right for any shape."""
    turn = np.array([[0.8, -0.6], [0.6, 0.8]])
    shape = turn @ np.diag([0.1**2, 0.012**2]) @ turn.T
    means = np.array([[-0.6, -0.5], [-0.5, -0.4], [0.0, 0.4], [0.1, 0.5], [0.5, -0.3], [0.6, -0.2]])
    x = np.concatenate([rng.multivariate_normal(m, shape, 4_000) for m in means])
    tree = counted(x, NOISE, rng)
    truth = Full(np.full((1, 6), 1 / 6), means[None], np.repeat(shape[None], 6, axis=0)[None])
    found = tree_fits.likeliest(tree, [truth])
    root = np.linalg.inv(np.linalg.cholesky(shape))
    off = np.linalg.norm((found.means[0][None] - means[:, None]) @ root.T, axis=2)
    own, other = linear_sum_assignment(off)
    assert off[own, other].max() < 0.5
    values = np.linalg.eigvalsh(root @ found.covariances[0] @ root.T)
    assert values.min() > 0.5
    assert values.max() < 2.0


def alike(seed: int) -> tuple[Floats, Floats, Tree, Full]:
    """Eight clusters of 700 rows with one shape in several sizes: means, inverse roots, counts, and a start in rows."""
    rng, turn = np.random.default_rng(seed), np.array([[0.8, -0.6], [0.6, 0.8]])
    shape = turn @ np.diag([0.12**2, 0.02**2]) @ turn.T
    inverse = np.linalg.inv(np.linalg.cholesky(shape))
    while True:
        means = rng.uniform(-0.6, 0.6, (8, 2))
        gaps = np.linalg.norm((means[:, None] - means[None]) @ inverse.T, axis=2)
        if gaps[np.triu_indices(8, 1)].min() > 5.0:
            break
    sizes = rng.uniform(0.6, 1.2, 8)
    x = np.concatenate([rng.multivariate_normal(m, s**2 * shape, 700) for m, s in zip(means, sizes, strict=True)])
    tree = counted(x, 18.0, rng)
    at = x[rng.permutation(len(x))[:8]]
    return means, inverse / sizes[:, None, None], tree, Full(np.full((1, 8), 1 / 8), at[None], spheres(8, 0.01))


def spheres(k: int, size: float) -> Floats:
    """Covariances of a batch of one."""
    return np.repeat(size * np.eye(2)[None], k, axis=0)[None]


def test_what_has_one_shape_is_found_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """With shapes of their own components find a likelier mixture by chance, and lose a cluster."""
    means, inverse, tree, start = alike(4)

    def farthest() -> float:
        gaps = tree_fits.likeliest(tree, [start]).means[0][None] - means[:, None]
        return float(np.linalg.norm(np.einsum("iab,ijb->ija", inverse, gaps), axis=2).min(axis=1).max())

    assert farthest() < 0.6
    monkeypatch.setattr(tree_fits, "CHANCE", -np.inf)
    monkeypatch.setattr(tree_fits, "ALIKE", 0.0)
    assert farthest() > 2.0


def test_a_component_too_many_keeps_a_size_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight components for seven clusters: without the prior one becomes a needle, or as wide as the box."""
    rng = np.random.default_rng(1)
    parts = zip(MEANS, SIZES, ROWS // 2, strict=True)
    tree = counted(np.concatenate([m + s * rng.standard_normal((n, 1)) for m, s, n in parts]), NOISE, rng)
    start = model(np.append(MEANS, 0.4), np.full(8, 0.05), np.ones(8))

    def ratio() -> float:
        return float(np.ptp(np.log(tree_fits.likeliest(tree, [start]).covariances)))

    assert ratio() < 4.0
    monkeypatch.setattr(tree_fits, "ALIKE", 0.0)
    assert ratio() > 5.0


def test_shapes_that_differ_stay_different(rng: np.random.Generator) -> None:
    wide, high = np.diag([0.15**2, 0.03**2]), np.diag([0.03**2, 0.15**2])
    x = np.concatenate(
        [rng.multivariate_normal([-0.4, 0.0], wide, 2_500), rng.multivariate_normal([0.4, 0.0], high, 2_500)]
    )
    start = Full(np.full((1, 2), 0.5), np.array([[[-0.3, 0.1], [0.3, 0.1]]]), spheres(2, 0.01))
    found = tree_fits.likeliest(counted(x, NOISE, rng), [start])
    first, second = found.covariances[0][np.argsort(found.means[0, :, 0])]
    assert first[0, 0] > 9.0 * first[1, 1]
    assert second[1, 1] > 9.0 * second[0, 0]


def test_points_have_the_law_they_stand_for() -> None:
    points = tree_fits.net(3, 4096)
    np.testing.assert_allclose(points.T @ points / 4096, np.eye(3), atol=1e-9)
    inside = np.mean(np.linalg.norm(points, axis=1) < 1.0)
    assert inside == pytest.approx(0.19875, abs=0.01)


def test_one_component_is_only_settled(rng: np.random.Generator) -> None:
    x = 0.2 * rng.standard_normal((5_000, 2)) + 0.1
    found = tree_fits.likeliest(
        counted(x, NOISE, rng), [Full(np.ones((1, 1)), np.zeros((1, 1, 2)), np.eye(2)[None, None])]
    )
    np.testing.assert_allclose(found.means[0, 0], 0.1, atol=0.03)
    np.testing.assert_allclose(found.covariances[0, 0], 0.04 * np.eye(2), atol=0.01)


def test_where_noise_hides_every_component_no_move_is_tried(
    line: Tree, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty of a hundred rows took 10 s; a move of their rows gains less than it must."""
    few = counted(rng.uniform(-0.9, 0.9, size=(80, 1)), NOISE, rng)
    start = model(MEANS, np.full(7, 0.05), np.ones(7))
    assert tree_fits.Fit.to(few).hides(7)
    assert not tree_fits.Fit.to(line).hides(7)
    monkeypatch.setattr(tree_fits, "_moved", None)
    assert np.isfinite(tree_fits.likeliest(few, [start]).means).all()
    with pytest.raises(TypeError):
        tree_fits.likeliest(line, [start])


def test_a_crowd_stands_as_no_more_points_than_noise_leaves_a_use_for(line: Tree, rng: np.random.Generator) -> None:
    few = counted(rng.uniform(-0.9, 0.9, size=(500, 1)), NOISE, rng)
    for tree, components, wanted in ((line, 7, (2048, 512)), (few, 16, (2048, 512)), (few, 20, (256, 64))):
        fit = tree_fits.Fit.to(tree, components)
        assert (len(fit.points), len(fit.few)) == wanted
    enough = tree_fits.Fit.to(line, 17)  # of 5200 rows
    assert len(enough.points) == int(4.0 * (line.rows / 17) ** 2 / tree_fits.least_variance(line))


@pytest.mark.parametrize("settings", [{}, {"common": True}, {"alike": True}])
def test_where_no_row_is_left_to_any_component_fits_stay_finite(settings: dict[str, bool]) -> None:
    """Of counts that are noise around a total far below 0 all expected rows can be taken away."""
    rng = np.random.default_rng(6)
    released = [np.zeros(2 ** (2 * side)) for side in dense.SIDES[2]]
    released[-1] = 2e4 * rng.standard_normal(released[-1].shape)
    tree = dense.nested(released, [1.4] * len(released), 2, (-3.8e6, 25.0))
    fit = attrs.evolve(tree_fits.Fit.to(tree, 2), **settings)
    model = tree_fits.Shape(np.array([0.5, 0.5]), np.array([[-0.3, 0.1], [0.4, 0.2]]), np.array([0.3 * np.eye(2)] * 2))
    found, score = fit.settled(model, fit.points, 30, 1e-3)
    assert np.isfinite(found.means).all()
    assert np.isfinite(found.roots).all()
    assert np.isfinite(score)
