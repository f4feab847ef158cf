"""Covariances pulled towards a shape that components share."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpframe_plugins.practical import judging, pooling
from dpframe_plugins.practical.records import Floats, Mixture, as_floats


def drawn(rng: np.random.Generator, k: int, d: int, *, alike: bool) -> Floats:
    """Covariances of some sizes: of one shape, or each of its own."""
    roots = rng.standard_normal((1 if alike else k, d, d)) / np.sqrt(d) + 0.5 * np.eye(d)
    return as_floats(np.exp(rng.uniform(-1, 1, k))[:, None, None] * (roots @ np.swapaxes(roots, 1, 2)))


def noisy(rng: np.random.Generator, truth: Floats, std: float) -> tuple[Floats, Floats]:
    """Seen with noise in their own coordinates, and those."""
    roots, raw = np.linalg.cholesky(truth), rng.standard_normal(truth.shape)
    noise = std * (raw + np.swapaxes(raw, 1, 2)) / 2.0
    return truth + roots @ noise @ np.swapaxes(roots, 1, 2), roots


def lost(found: Floats, truth: Floats) -> float:
    """Squared errors in the truth's coordinates, in the mean."""
    inverses = np.linalg.inv(np.linalg.cholesky(truth))
    return float(((inverses @ (found - truth) @ np.swapaxes(inverses, 1, 2)) ** 2).sum() / len(truth))


@pytest.mark.parametrize(("k", "d", "std"), [(6, 8, 0.2), (4, 12, 0.15), (8, 20, 0.1), (3, 5, 0.3)])
def test_what_components_share_is_known_better(rng: np.random.Generator, k: int, d: int, std: float) -> None:
    """Of one shape errors are near to a k-th; of shapes of their own no larger than without. Means of 20 draws."""
    for alike, most in ((True, 0.75), (False, 1.02)):
        errors = []
        for _ in range(20):
            truth = drawn(rng, k, d, alike=alike)
            seen, roots = noisy(rng, truth, std)
            found = pooling.pooled(seen, roots, np.full(k, std**2), np.full(k, True))
            errors.append((lost(found.covariances, truth), lost(seen, truth), float(found.noise.mean())))
        pulled, raw, noise = np.mean(errors, axis=0)
        assert pulled < most * raw
        assert pulled / raw < 1.6 * noise + 0.05  # what is said of the noise that is left


def test_without_a_pull_there_is_no_gain(rng: np.random.Generator) -> None:
    """A broken twin: noise that is said to be none is kept."""
    truth = drawn(rng, 6, 8, alike=True)
    seen, roots = noisy(rng, truth, 0.2)
    found = pooling.pooled(seen, roots, np.full(6, 1e-12), np.full(6, True))
    assert lost(found.covariances, truth) == pytest.approx(lost(seen, truth))
    assert found.kept == pytest.approx(1.0)


def test_one_that_is_not_known_is_left_and_tells_nothing(rng: np.random.Generator) -> None:
    truth = drawn(rng, 5, 6, alike=True)
    seen, roots = noisy(rng, truth, 0.2)
    known, variances = np.array([True, True, False, True, True]), np.full(5, 0.04)
    found = pooling.pooled(seen, roots, variances, known)
    alone = pooling.pooled(seen[known], roots[known], variances[known], known[known])
    np.testing.assert_array_equal(found.covariances[2], seen[2])
    assert (found.kept[2], found.noise[2]) == (1.0, 1.0)
    np.testing.assert_allclose(found.covariances[known], alone.covariances, rtol=1e-10)
    none = pooling.pooled(seen, roots, variances, np.full(5, False))
    np.testing.assert_array_equal(none.covariances, seen)


@given(seed=st.integers(0, 2**32 - 1), unit=st.sampled_from([1e-12, 1.0, 1e9]), d=st.integers(4, 9))
def test_units_and_the_order_of_components_do_not_matter(seed: int, unit: float, d: int) -> None:
    rng = np.random.default_rng(seed)
    truth = drawn(rng, 4, d, alike=bool(seed % 2))
    seen, roots = noisy(rng, truth, 0.3)
    variances, order = rng.uniform(0.01, 0.2, 4), rng.permutation(4)
    known = np.full(4, True)
    here = pooling.pooled(seen, roots, variances, known)
    there = pooling.pooled(unit * seen[order], np.sqrt(unit) * roots[order], variances[order], known)
    scale = float(np.abs(here.covariances).max())
    np.testing.assert_allclose(there.covariances / unit, here.covariances[order], rtol=1e-6, atol=1e-7 * scale)


@given(seed=st.integers(0, 2**32 - 1), noise=st.floats(0.0, 3.0), d=st.integers(1, 7))
def test_a_pulled_mixture_is_a_mixture(seed: int, noise: float, d: int) -> None:
    """Its covariances are positive definite whatever the noise; of few columns it is as it was."""
    rng = np.random.default_rng(seed)
    model = Mixture(np.full(3, 1 / 3), rng.standard_normal((3, d)), np.linalg.cholesky(drawn(rng, 3, d, alike=False)))
    found, left = pooling.shared(model, np.full(3, noise), np.array([True, True, False]))
    assert np.linalg.eigvalsh(found.covariances).min() > 0.0
    np.testing.assert_array_equal(found.cholesky[2], model.cholesky[2])
    assert ((left >= 0.0) & (left <= 1.0)).all()
    if d < pooling.LEAST:
        assert found is model


def test_the_verdict_is_on_what_the_noise_that_is_left_costs() -> None:
    """A component that found no rows stays noise."""
    empty, drowned, costly = (
        [Mixture([0.5, 0.5], np.eye(2, 6), np.repeat(np.eye(6)[None], 2, axis=0), [noise] * 2)] * 3
        for noise in (2.5, 0.9, 0.8)
    )
    few = np.array([0.3, 0.3])
    assert [judging.judge(empty, left).verdict for left in (None, 0.1 * few)] == ["poor", "poor"]
    assert [judging.judge(drowned, left).verdict for left in (None, few, 2.0 * few)] == ["poor", "good", "poor"]
    assert [judging.judge(costly, left).verdict for left in (None, few)] == ["poor", "good"]
