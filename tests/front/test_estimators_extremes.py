"""Choices and tables at the ends of what is legal: finite results without warnings, or one clear refusal."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpframe.errors import DataError, SpecError
from dpframe.estimators import (
    BKS22Mean,
    PrivateGaussian,
    PrivateGaussianMixture,
    PrivateKMeans,
    PrivateLinearRegression,
    PrivateLogisticRegression,
    PrivateMean,
    PrivateMixedMixture,
    PrivatePCA,
    from_composite,
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
@pytest.mark.parametrize("bound", [1e-80, 1e150])
@pytest.mark.parametrize(
    "model",
    [PrivatePCA, PrivateGaussian, PrivateGaussianMixture, PrivateLinearRegression, PrivateLogisticRegression],
)
def test_results_and_their_errors_are_finite_in_any_units(model: Any, bound: float) -> None:
    """At a bound of 1e150 rows that noise hides are looked for in a ball whose square is still a float64."""
    more: dict[str, Any] = {"classes": [0, 1]} if model is PrivateLogisticRegression else {}
    y: list[Any] = [np.arange(N) % 2] if more else []
    if model is PrivateLinearRegression:
        y = [table(scale=bound / 20.0)[:, 0]]
    more |= {"n_components": 2, "epsilon": 50.0} if model is PrivateGaussianMixture else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="no error is predicted")  # of 300 rows
        found = model(**{**HOW, "bound": bound, **more}).fit(table(scale=bound / 10.0), *y)
    assert infinite(found) == []


@pytest.mark.parametrize("bound", [1e-100, 5e-324, 1e151, 1e308])
def test_bounds_whose_squares_leave_floating_point_are_refused_before_anything_is_spent(bound: float) -> None:
    model = PrivateMean(**{**HOW, "bound": bound})
    with pytest.raises(SpecError, match=r"bound.* must be .* not "):
        model.fit(table())
    assert not hasattr(model, "privacy_")


NO_BOUND = {"epsilon": 1.0, "delta": 1e-6, "adjacency": "replace_one", "simulate": 0}
UNREAD: dict[str, tuple[Any, str]] = {
    "a learner": (lambda: BKS22Mean(bound=20.0, **NO_BOUND), "BKS22Mean reads no bound, not even 20.0"),
    "a composite": (lambda: from_composite("histogram")(edges=[0.0, 2.0], bound=20.0, **NO_BOUND), "reads no bound"),
}


@pytest.mark.parametrize("case", UNREAD)
def test_a_bound_that_nothing_reads_is_warned_of_by_name(case: str) -> None:
    make, said = UNREAD[case]
    model = make()
    with pytest.warns(UserWarning, match=said):
        model.fit(table(), **({"public": table(20)} if case == "a learner" else {}))


def test_categories_that_nothing_reads_are_refused_by_name() -> None:
    model = PrivateMean(bound=20.0, categories=[0, 1], **NO_BOUND)
    with pytest.raises(SpecError, match=r"column by=..., and none is given"):
        model.fit(table())
    assert not hasattr(model, "privacy_")


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


def test_a_table_without_rows_is_told_so_whatever_is_asked_of_it() -> None:
    for model in (PrivateMean(**HOW), PrivateGaussianMixture(50, **HOW)):
        with pytest.raises(DataError, match=r"n_samples = 0: 0 sample\(s\), a minimum of 2 is required"):
            model.fit(table(0))
