"""The whole recipe in floating point: known mixtures found, odd tables survived, scale and shift without effect."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.plugins.practical.float_kernel import fit


def blobs(
    rng: np.random.Generator, n: int, d: int, k: int, sep: float, weights: list[float] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Unit Gaussians on the corners of a simplex (or along a line)."""
    centers = sep / math.sqrt(2.0) * np.eye(k, d) if d >= k else sep * np.arange(k)[:, None] * np.eye(1, d)
    labels = rng.choice(k, p=weights, size=n)
    return centers[labels] + rng.standard_normal((n, d)), centers


def largest_error(means: np.ndarray, centers: np.ndarray) -> float:
    gaps = np.linalg.norm(means[:, None] - centers[None], axis=2)
    assert sorted(gaps.argmin(axis=1)) == list(range(len(centers)))
    return float(gaps.min(axis=1).max())


@pytest.mark.parametrize(
    ("n", "d", "k", "sep", "limit"),
    [
        (20_000, 1, 1, 8.0, 0.05),
        (20_000, 1, 3, 8.0, 0.15),
        (20_000, 2, 4, 8.0, 0.15),
        (20_000, 6, 3, 8.0, 0.2),
        (40_000, 2, 2, 4.0, 0.15),
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_component_is_found(n: int, d: int, k: int, sep: float, limit: float, seed: int) -> None:
    rows, centers = blobs(np.random.default_rng([seed, n, d]), n, d, k, sep)
    found = fit(rows, k, 1e4, seed)
    assert found is not None
    weights, means, covariances = found
    assert largest_error(means, centers) < limit
    np.testing.assert_allclose(weights, 1.0 / k, atol=0.05)
    for covariance in covariances:
        assert np.linalg.norm(covariance - np.eye(d)) < 0.15 * d + 0.1


@pytest.mark.parametrize(("scale", "shift"), [(1e-4, 1e3), (1e6, 0.0), (1e-100, 0.0), (1e100, 0.0), (1.0, 1e6)])
def test_units_and_location_do_not_matter(scale: float, shift: float, rng: np.random.Generator) -> None:
    rows, centers = blobs(rng, 20_000, 2, 2, 8.0)
    found = fit(scale * (rows + shift), 2, scale * 1e3 * (10.0 + shift), 3)
    assert found is not None
    assert largest_error(found[1] / scale - shift, centers) < 0.2
    assert 0.7 < found[2][0][0, 0] / scale**2 < 1.4


ODD = {
    "all equal": lambda rng: np.full((5000, 3), 5.0),
    "all zero": lambda rng: np.zeros((5000, 3)),
    "two points": lambda rng: np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])[rng.integers(0, 2, 5000)],
    "on a line": lambda rng: np.outer(rng.standard_normal(5000), [1.0, 2.0, 3.0]),
    "a constant column": lambda rng: np.c_[rng.standard_normal((5000, 2)), np.full(5000, 7.0)],
    "integers": lambda rng: rng.integers(0, 3, (5000, 3)).astype(float),
    "heavy tails": lambda rng: np.clip(rng.standard_t(1, (5000, 3)), -1e6, 1e6),
    "few rows": lambda rng: rng.standard_normal((1000, 3)),
    "one cluster": lambda rng: rng.standard_normal((5000, 3)),
}


@pytest.mark.parametrize("name", list(ODD))
@pytest.mark.parametrize("k", [1, 4])
def test_odd_tables_give_a_mixture(name: str, k: int, rng: np.random.Generator) -> None:
    found = fit(ODD[name](rng), k, 1e7, 0)
    if found is None:
        return
    weights, means, covariances = found
    assert weights.sum() == pytest.approx(1.0)
    assert (weights >= 0.0).all()
    assert np.isfinite(means).all()
    assert (np.linalg.eigvalsh(covariances) > 0.0).all()


@pytest.mark.parametrize("n", [1, 2, 30])
def test_too_few_rows_fail_instead_of_inventing(n: int, rng: np.random.Generator) -> None:
    assert fit(rng.standard_normal((n, 2)), 2, 1e3, 0) is None


@pytest.mark.slow
@pytest.mark.parametrize(("d", "sep"), [(2, 8.0), (10, 8.0), (2, 4.0), (10, 4.0)])
def test_no_seed_of_twenty_loses_a_component(d: int, sep: float) -> None:
    for seed in range(20):
        rows, centers = blobs(np.random.default_rng([seed, d]), 100_000, d, 4 if d > 2 else 2, sep)
        found = fit(rows, len(centers), 1e3, seed)
        assert found is not None
        assert largest_error(found[1], centers) < sep / 4.0
