"""k-means of rows that are no clusters: starts are the k-means of the first mixture, not its means.

Noise is simulated with fixed seeds, so nothing here fails by chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe_plugins.tabular.clusters as tabular
from dpframe.estimators import PrivateKMeans
from dpframe_plugins.practical.records import Mixture

AGES = np.random.default_rng(0).uniform(18.0, 65.0, size=(9_000, 1)).round()
BEST = 47.0**2 / 12.0 / 16.0
"""The mean square distance from the nearest of four centres, of ages that are spread evenly."""
HOW: dict[str, Any] = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 1e3}


def cost(seed: int) -> float:
    """Of the centres, over the best there is."""
    centres = PrivateKMeans(4, **HOW, simulate=seed).fit(AGES).cluster_centers_
    return float(np.square(AGES - centres.T).min(axis=1).mean()) / BEST


def test_rows_that_are_spread_evenly_are_parted_evenly() -> None:
    assert [cost(seed) < 1.1 for seed in range(3)] == [True] * 3


def test_the_means_of_a_mixture_would_be_bad_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: what starts were before."""

    def means(mixture: Mixture, seed: int) -> tuple[Any, Any]:
        return mixture.means, np.sqrt(np.trace(mixture.covariances, axis1=1, axis2=2))

    monkeypatch.setattr(tabular, "parted", means)
    assert [cost(seed) > 1.3 for seed in range(3)] == [True] * 3


def test_means_of_separate_components_stay() -> None:
    means = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    roots = np.tile(0.02 * np.eye(2), (3, 1, 1))
    centres, spread = tabular.parted(Mixture(np.array([0.05, 0.5, 0.45]), means, roots), 0)
    assert np.abs(centres - means).max() < 0.01
    assert spread == pytest.approx(0.02 * np.sqrt(2.0), rel=0.2)


def test_a_component_without_rows_keeps_its_place() -> None:
    """Two means in one point: no point drawn is nearer to the second, which neither divides by 0 nor moves to a NaN."""
    twice = Mixture(np.array([1.0, 0.0]), np.zeros((2, 1)), np.full((2, 1, 1), 1e-12))
    centres, spread = tabular.parted(twice, 0)
    assert np.isfinite(centres).all()
    assert np.isfinite(spread).all()


def test_starts_are_the_same_for_the_same_seed() -> None:
    mixture = Mixture(np.full(3, 1 / 3), np.arange(3.0)[:, None], np.ones((3, 1, 1)))
    assert np.array_equal(tabular.parted(mixture, 7)[0], tabular.parted(mixture, 7)[0])


def test_columns_of_zeros_and_ones_have_clusters() -> None:
    """Cells that hold one value each have no width: beside the directions that no cell cuts it was rounded away."""
    rows = np.random.default_rng(0).integers(0, 2, size=(10_000, 4)).astype(np.float64)
    centres = PrivateKMeans(4, **HOW, simulate=0).fit(rows).cluster_centers_
    nearest = np.square(rows[:, None] - centres).sum(axis=2).min(axis=1).mean()
    assert nearest < 0.75  # four centres at the middles of two columns' values: .5; one centre: 1
