"""Choices and tables at the ends of what is legal: finite results without warnings, or one clear refusal."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError
from dpframe.estimators import (
    PrivateGaussian,
    PrivateGaussianMixture,
    PrivateKMeans,
    PrivateLogisticRegression,
    PrivateMixedMixture,
    PrivatePCA,
)

HOW: dict[str, Any] = {"epsilon": 2.0, "delta": 1e-6, "adjacency": "replace_one", "bound": 20.0, "simulate": 0}
N = 300


def table(n: int = N, scale: float = 1.0) -> Any:
    rows = np.random.default_rng(0).normal(size=(n, 2))
    rows[: n // 2] += 4.0
    return rows * scale


def floats(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """All numbers that a fitted attribute holds."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from floats(inner, f"{name}.{key}")
    elif isinstance(value, (float, np.ndarray)) and np.asarray(value).dtype.kind == "f":
        yield name, value


def infinite(model: Any) -> list[str]:
    held = (pair for name, value in vars(model).items() if name.endswith("_") for pair in floats(value, name))
    return [name for name, value in held if not np.isfinite(value).all()]


@pytest.mark.slow
@pytest.mark.parametrize("bound", [1e-80, 1e120])
@pytest.mark.parametrize("model", [PrivatePCA, PrivateGaussian, PrivateGaussianMixture, PrivateLogisticRegression])
def test_results_and_their_errors_are_finite_in_any_units(model: Any, bound: float) -> None:
    more, y = ({"classes": [0, 1]}, [np.arange(N) % 2]) if model is PrivateLogisticRegression else ({}, [])
    more |= {"n_components": 2, "epsilon": 50.0} if model is PrivateGaussianMixture else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model(**{**HOW, "bound": bound, **more}).fit(table(scale=bound / 10.0), *y)
    assert infinite(found) == []


@pytest.mark.parametrize("n", [3, 49])
def test_more_clusters_than_rows_are_refused_before_anything_is_spent(n: int) -> None:
    rows = np.column_stack([table(n), np.arange(n) % 2])
    for model in (
        PrivateKMeans(50, **HOW),
        PrivateGaussianMixture(50, **HOW),
        PrivateMixedMixture(50, categorical={2: [0, 1]}, **HOW),
    ):
        with pytest.raises(DataError, match=rf"n_samples = {n} rows, fewer than the 50 clusters"):
            model.fit(rows)
        assert not hasattr(model, "privacy_")
