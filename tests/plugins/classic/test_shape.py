"""Whether distances tell Gaussian rows from others: what they say of each, by how much noise, and of how many rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import gammainc

from dpframe_plugins.classic import shape


def released(rows: Any, std: float, seed: int) -> Any:
    """Noisy numbers of rows by their distance from 0."""
    noise = np.random.default_rng(seed).normal(size=shape.EDGES + 1) * std
    places = np.searchsorted(shape.ends(rows.shape[1]), np.linalg.norm(rows, axis=1))
    return np.bincount(places, minlength=shape.EDGES + 1) + noise


def found(rows: Any, std: float = 30.0, seed: int = 0) -> shape.Shape:
    return shape.shape(released(rows, std, seed), std, rows.shape[1], len(rows))


@pytest.mark.parametrize("d", [1, 2, 5, 20])
@pytest.mark.parametrize("n", [500, 3_000, 30_000])
def test_gaussian_rows_are_never_called_others(d: int, n: int) -> None:
    """Seeds are fixed. A fresh one errs with probability 2e-2 at most: 300 ranges, four deviations each, two-sided."""
    rows = np.random.default_rng(d * n).standard_normal((n, d))
    assert not any(found(rows, seed=seed).is_other for seed in range(20))


@pytest.mark.parametrize("d", [1, 2, 5])
def test_others_of_thirty_thousand_rows_are(d: int) -> None:
    rng = np.random.default_rng(d)
    normal = rng.standard_normal((30_000, d))
    heavy = normal / np.sqrt(rng.chisquare(5, size=(30_000, 1)) / 3)
    even = rng.uniform(-np.sqrt(3), np.sqrt(3), size=(30_000, d))
    few_far = np.where(rng.random((30_000, 1)) < 0.05, 6.0, 1.0) * normal
    assert [found(rows).apart > shape.APART for rows in (heavy, even, few_far)] == [True] * 3


@pytest.mark.parametrize("scale", [0.7, 1.0, 1.2])
def test_a_frame_that_is_too_wide_or_narrow_is_no_other_law(scale: float) -> None:
    rows = scale * np.random.default_rng(3).standard_normal((30_000, 3))
    assert found(rows).apart <= shape.APART
    assert found(rows).wider == pytest.approx(max(scale**2, 1.0), rel=0.1)


def test_the_second_moment_counts_rows_far_out_once_they_surely_are_there() -> None:
    far = np.zeros((400, 2))
    far[:, 0] = 100.0
    near = np.random.default_rng(4).standard_normal((9_600, 2))
    assert found(np.concatenate([near, far])).wider > 100.0
    assert found(np.concatenate([near, far[:100]])).wider == pytest.approx(1.0, abs=0.1)


def test_without_noise_the_law_is_read_exactly() -> None:
    chi = np.diff(np.append(gammainc(1.5, shape.ends(3) ** 2 / 2), 1.0), prepend=0.0)
    assert shape.shape(1e5 * chi, 0.0, 3, 1e5).apart < 1e-3
    assert shape.shape(1e5 * np.roll(chi, 2), 0.0, 3, 1e5).apart > 0.1
