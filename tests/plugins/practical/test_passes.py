"""One pass: the statistic's sensitivity, clipping undone, overlap solved, noise shrunk, averages."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe_plugins.practical import clipping, finish, passes
from dpframe_plugins.practical.local import Local, apply, invert, shrink_covariance
from dpframe_plugins.practical.matching import Simulator, match
from dpframe_plugins.practical.records import Ball, Mixture
from dpframe_plugins.practical.truncation import response
from tests.plugins.practical.float_kernel import augmented_grams

CLIP = 3.0


def mixture(rng: np.random.Generator, k: int, d: int, gap: float) -> Mixture:
    roots = np.linalg.cholesky(np.eye(d) + 0.2 * np.array([(a := rng.standard_normal((d, d))) @ a.T for _ in range(k)]))
    means = gap * (np.eye(k, d) if d >= k else np.arange(k)[:, None] * np.eye(1, d))
    return Mixture(rng.dirichlet(np.full(k, 9.0)), means, roots)


def rows_of(model: Mixture, n: int, rng: np.random.Generator) -> np.ndarray:
    labels = rng.choice(len(model.weights), p=model.weights, size=n)
    noise = rng.standard_normal((n, model.means.shape[1]))
    return model.means[labels] + np.einsum("nij,nj->ni", model.cholesky[labels], noise)


def moved(model: Mixture, size: float, rng: np.random.Generator) -> Mixture:
    d = model.means.shape[1]
    means = model.means + size * rng.standard_normal(model.means.shape)
    factors = model.cholesky @ (np.eye(d) + size * np.tril(rng.standard_normal(model.cholesky.shape)) / d)
    weights = model.weights * np.exp(size * rng.standard_normal(model.weights.size))
    return Mixture(weights / weights.sum(), means, factors)


def errors(model: Mixture, truth: Mixture) -> float:
    return float(max(np.abs(model.means - truth.means).max(), np.abs(model.covariances - truth.covariances).max()))


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("d", [1, 2, 5])
def test_the_augmented_gram_moves_by_at_most_its_sensitivity(k: int, d: int, rng: np.random.Generator) -> None:
    model = mixture(rng, k, d, 1.5)
    anchor = clipping.ANCHOR * CLIP
    bound = math.sqrt(2.0) * (anchor**2 + CLIP**2)
    # the worst case: opposite rows far out in one component, |z.z'| = anchor^2 short of orthogonal lifts
    x = rng.uniform(-30.0, 30.0, (400, d))
    single = [augmented_grams(row[None], model, CLIP, anchor) for row in x]
    norms = [float(np.linalg.norm(g)) for g in single]
    gaps = [float(np.linalg.norm(a - b)) for a, b in itertools.pairwise(single)]
    assert max(norms) <= bound / math.sqrt(2.0) * (1.0 + 1e-12)
    assert max(gaps) <= bound * (1.0 + 1e-12)
    if d > 1:
        assert max(gaps) > 0.9 * bound  # a claim of 0.9 times the bound is caught
    assert max(norms) > 0.9 * bound / math.sqrt(2.0)


def test_moments_are_read_off_the_augmented_gram(rng: np.random.Generator) -> None:
    model = mixture(rng, 2, 3, 2.0)
    x = rows_of(model, 500, rng)
    anchor = clipping.ANCHOR * CLIP
    seen = passes.split_augmented(augmented_grams(x, model, CLIP, anchor), CLIP, 1.5)
    assert seen.counts.sum() == pytest.approx(500.0)
    assert seen.count_std == pytest.approx(1.5 / anchor**2)
    assert seen.sum_std == pytest.approx(1.5 / math.sqrt(2.0) / anchor)
    assert np.linalg.norm(seen.sums[0]) <= CLIP * seen.counts[0]


def test_the_clip_radius_grows_with_the_rows_and_falls_with_the_noise() -> None:
    radii = [clipping.clip_radius(10, n, 4, 10.0) for n in (1e3, 1e4, 1e5, 1e6, 1e8)]
    assert radii == sorted(radii)
    assert clipping.clip_radius(10, 1e5, 4, 100.0) < clipping.clip_radius(10, 1e5, 4, 1.0)


@pytest.mark.parametrize(("d", "clip"), [(1, 1.5), (2, 2.0), (6, 2.6)])
def test_predicted_variances_match_simulation(d: int, clip: float, rng: np.random.Generator) -> None:
    """200,000 rows in 500 groups; a variance of 500 draws is within 30 % but for a chance below 1e-6."""
    z = rng.standard_normal((500, 400, d))
    z *= np.minimum(1.0, clip / np.linalg.norm(z, axis=2))[:, :, None]
    factors = response(d, clip)
    mean, shape = clipping.predicted_variances(d, clip, 400.0, 0.0)
    assert np.var(z.mean(axis=1)[:, 0] / factors.mean) == pytest.approx(mean, rel=0.3)
    if d > 1:
        products = (z[:, :, 0] * z[:, :, 1]).mean(axis=1) / factors.shape
        assert np.var(products) == pytest.approx(shape, rel=0.3)


@given(st.integers(1, 6), st.floats(1.5, 6.0), st.floats(0.05, 4.0), st.integers(0, 2**32 - 1))
def test_inverting_undoes_the_clip_of_an_isotropic_component(d: int, clip: float, scale: float, seed: int) -> None:
    second = scale * response(d, clip / math.sqrt(scale)).second * np.eye(d)
    if second[0, 0] > 0.95 * clip * clip / d:  # nearly every row on the sphere: cut off
        return
    found = invert(np.array([10.0]), np.zeros((1, d)), 10.0 * second[None], clip)
    np.testing.assert_allclose(found.covariances[0], scale * np.eye(d), rtol=1e-6)


@pytest.mark.parametrize("gap", [3.5, 8.0])
@pytest.mark.parametrize("d", [1, 2, 4])
def test_without_noise_one_pass_reaches_the_truth(gap: float, d: int, rng: np.random.Generator) -> None:
    """Sampling error at n=200,000 is about 0.01; EM alone stays about 0.85 of the way off at a gap of 3.5."""
    truth = mixture(rng, 2, d, gap)
    start = moved(truth, 0.15, rng)
    x = rows_of(truth, 200_000, rng)
    grams = augmented_grams(x, start, CLIP, clipping.ANCHOR * CLIP)
    found = passes.update(start, passes.split_augmented(grams, CLIP, 1e-9), 0)
    grams = augmented_grams(x, found, CLIP, clipping.ANCHOR * CLIP)
    found = passes.update(found, passes.split_augmented(grams, CLIP, 1e-9), 1)
    assert errors(found, truth) < min(0.1, 0.4 * errors(start, truth))


def test_matching_solves_for_the_mixture_that_would_look_like_this(rng: np.random.Generator) -> None:
    model = mixture(rng, 3, 2, 5.0)
    simulator = Simulator.create(model, CLIP, 0)
    theta = Local(
        np.array([0.3, 0.3, 0.4]), 0.05 * rng.standard_normal((3, 2)), np.repeat(1.05 * np.eye(2)[None], 3, axis=0)
    )
    observed = invert(*simulator.moments(theta), CLIP)
    few, many = (match(model, observed, CLIP, 0, steps=steps).minus(theta).size() for steps in (0, 60))
    assert many < 0.25 * few


def test_the_reference_is_exact(rng: np.random.Generator) -> None:
    model = mixture(rng, 3, 2, 2.0)
    here = Local.identity(model.weights, 2)
    found = invert(*Simulator.create(model, CLIP, 0).moments(here), CLIP)
    assert found.minus(here).size() < 1e-9


def test_shrinking_keeps_signal_and_drops_noise(rng: np.random.Generator) -> None:
    d = 8
    raw = rng.standard_normal((d, d))
    noise = np.tril(raw, -1) / math.sqrt(2.0)
    noise = noise + noise.T + np.diag(np.diag(raw))
    kept = shrink_covariance(np.eye(d) + 0.3 * noise, 0.3)
    assert np.linalg.norm(kept - np.eye(d)) < 0.6 * np.linalg.norm(0.3 * noise)
    signal = np.diag([4.0, 0.3, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    np.testing.assert_allclose(shrink_covariance(signal, 0.01), signal, rtol=0.01)
    assert np.linalg.eigvalsh(shrink_covariance(np.eye(d) + 3.0 * noise, 3.0)).min() > 0.0


@given(st.integers(1, 4), st.integers(1, 4), st.floats(0.0, 1e4), st.integers(0, 2**32 - 1))
def test_any_noise_gives_a_valid_mixture(k: int, d: int, std: float, seed: int) -> None:
    """Counts below 0, Grams that are not positive, sums beyond the clip: the answer is still a mixture."""
    rng = np.random.default_rng(seed)
    model = mixture(rng, k, d, 2.0)
    raw = std * rng.standard_normal((k, d + 1, d + 1))
    found = passes.update(model, passes.split_augmented(raw + np.swapaxes(raw, 1, 2), CLIP, std), 0)
    assert found.weights.sum() == pytest.approx(1.0)
    assert (found.weights >= 0.0).all()
    assert np.isfinite(found.means).all()
    assert (np.linalg.eigvalsh(found.covariances) > 0.0).all()


def test_local_coordinates_round_trip(rng: np.random.Generator) -> None:
    model = mixture(rng, 3, 4, 2.0)
    same = apply(model, Local.identity(model.weights, 4))
    np.testing.assert_allclose(same.means, model.means)
    np.testing.assert_allclose(same.cholesky, model.cholesky)


def test_averages_are_weighted(rng: np.random.Generator) -> None:
    one, two = mixture(rng, 2, 3, 1.0), mixture(rng, 2, 3, 2.0)
    mean = passes.average([one, two], [1.0, 3.0])
    np.testing.assert_allclose(mean.means, 0.25 * one.means + 0.75 * two.means)
    np.testing.assert_allclose(mean.covariances, 0.25 * one.covariances + 0.75 * two.covariances)
    assert mean.weights.sum() == pytest.approx(1.0)


def test_table_units_are_positive_definite_where_float_cannot_see(rng: np.random.Generator) -> None:
    model = Mixture(np.ones(1), np.zeros((1, 2)), 1e-200 * np.eye(2)[None])
    weights, means, covariances = finish.table_units(model, Ball(np.array([1e9, -3.0]), 1e-3))
    assert weights.tolist() == [1.0]
    assert means.tolist() == [[1e9, -3.0]]
    assert np.linalg.eigvalsh(covariances[0]).min() > 0.0
    assert covariances.max() < 1e-12


@pytest.mark.parametrize("d", [1, 3, 20])
@pytest.mark.parametrize("rows", [1e3, 1e5])
def test_clip_and_noise_vanish_together(d: int, rows: float) -> None:
    """As the noise vanishes the clip grows without end, and an entry's noise over its sampling error still falls."""
    radii = [clipping.clip_radius(d, rows, 2, m) for m in (1e-2, 1e-3, 1e-4, 1e-5)]
    assert all(a < b for a, b in itertools.pairwise(radii))
    assert radii[-1] > 8.0 * radii[0]
    noise = [m * c * c for m, c in zip((1e-2, 1e-3, 1e-4, 1e-5), radii, strict=True)]
    assert all(a > b for a, b in itertools.pairwise(noise))


@pytest.mark.parametrize("multiplier", [0.1, 1.0, 10.0, 100.0])
def test_a_grown_clip_costs_at_most_a_little(multiplier: float) -> None:
    factor = clipping.grown(3.0, 1e4, multiplier)
    noise = (1.0 + clipping.ANCHOR**2) * multiplier * (3.0 * factor) ** 2 / 1e4**0.5
    assert factor == 1.0 or noise <= clipping.LITTLE
