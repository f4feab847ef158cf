"""``histogram`` and ``quantile``: values, prices by hand under both adjacencies, refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import DpframeError
from tests.plugins.classic.runs import EPSILON_1, RHO_HALF, planned, released

GRID = [float(v) for v in np.linspace(-5, 5, 201)]
PURE = dp.pure_dp(1.0)


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_bins(noise: str) -> None:
    """Discrete noise of scale at most 6: an error above 120 has chance below 1e-8."""
    rows = np.random.default_rng(0).uniform(-2, 2, (10_000, 3))
    plan = planned("histogram", 3, 10_000, edges=[-1, 0, 1], column=2, noise=noise, budget=EPSILON_1)
    found = released(plan, rows)
    assert np.abs(found - np.histogram(rows[:, 2], [-9, -1, 0, 1, 9])[0]).max() < 120
    assert np.array_equal(found, np.rint(found))


def test_categories() -> None:
    rows = np.repeat([0.0, 1.0, 5.0, np.nan, 9.0], [1000, 2000, 3000, 100, 10])[:, None]
    found = released(planned("histogram", 1, len(rows), categories=[5, 0, 1], budget=PURE, noise="laplace"), rows)
    assert np.abs(found - [1000, 2000, 3000, 10]).max() < 60


@pytest.mark.parametrize(
    ("budget", "adjacency", "noise", "key", "wanted"),
    [
        (RHO_HALF, dp.REPLACE_ONE, "gaussian", "sigma", math.sqrt(2)),
        (RHO_HALF, dp.ADD_REMOVE, "gaussian", "sigma", 1.0),
        (PURE, dp.REPLACE_ONE, "laplace", "scale", 2.0),
        (PURE, dp.ADD_REMOVE, "laplace", "scale", 1.0),
    ],
)
def test_histogram_noise_by_hand(budget: Any, adjacency: Any, noise: str, key: str, wanted: float) -> None:
    plan = planned("histogram", 1, 100, edges=[0.0], budget=budget, adjacency=adjacency, noise=noise)
    (calibration,) = plan.calibrations.values()
    assert calibration[key] == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("q", [0.01, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
def test_quantiles(q: float, adjacency: Any) -> None:
    """Off by t rows with probability at most 201·exp(−t/2·…): below 1e-6 at the 45 rows allowed here."""
    rows = np.random.default_rng(3).standard_normal((20_000, 1))
    plan = planned("quantile", 1, 20_000, q=q, candidates=GRID, budget=PURE, adjacency=adjacency)
    found = float(released(plan, rows)[0])
    assert found in GRID
    best = min(abs((rows < c).sum() - q * len(rows)) for c in GRID)
    assert abs((rows < found).sum() - q * len(rows)) <= best + 45


@pytest.mark.parametrize(
    ("q", "adjacency", "moved"),
    [(0.5, dp.REPLACE_ONE, 2), (0.5, dp.ADD_REMOVE, 1), (0.25, dp.REPLACE_ONE, 4), (0.25, dp.ADD_REMOVE, 3)],
)
def test_quantile_rate_by_hand(q: float, adjacency: Any, moved: int) -> None:
    """Bounded range ε = 1 is 2·rate·Δ."""
    plan = planned("quantile", 1, 100, q=q, candidates=GRID, budget=PURE, adjacency=adjacency)
    (calibration,) = plan.calibrations.values()
    assert calibration["rate"] == pytest.approx(0.5 / moved, rel=1e-5)
    assert plan.spent["epsilon"] <= 1.0


def test_a_median_of_ties_and_of_nothing() -> None:
    ties = np.repeat([0.0, 1.0, 2.0], [300, 1000, 200])[:, None]
    plan = planned("quantile", 1, 1500, q=0.5, candidates=[0.0, 1.0, 2.0], budget=PURE)
    assert released(plan, ties)[0] == 1.0
    assert released(plan, np.full((1500, 1), np.nan))[0] in (0.0, 1.0, 2.0)


@pytest.mark.parametrize(
    ("recipe", "parameters", "said"),
    [
        ("histogram", {}, "edges or categories"),
        ("histogram", {"edges": [0.0], "categories": [1.0]}, "edges or categories"),
        ("histogram", {"edges": []}, "increasing"),
        ("histogram", {"edges": [1.0, 0.0]}, "increasing"),
        ("histogram", {"categories": [1.0, 1.0]}, "increasing"),
        ("histogram", {"edges": [0.0], "noise": "cauchy"}, "gaussian or laplace"),
        ("histogram", {"edges": [0.0], "column": 2}, "column 2"),
        ("quantile", {"q": 0.0, "candidates": GRID}, "q must"),
        ("quantile", {"q": 1.0, "candidates": GRID}, "q must"),
        ("quantile", {"q": 0.5, "candidates": GRID[::-1]}, "increasing"),
        ("quantile", {"q": 0.5, "candidates": []}, "increasing"),
        ("quantile", {"q": 0.5}, "candidates"),
    ],
)
def test_refusals(recipe: str, parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(DpframeError, match=said):
        planned(recipe, 2, 100, **parameters)
