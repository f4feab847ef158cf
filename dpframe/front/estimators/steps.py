"""Steps of a pipeline that are not ours: refused where they learn, and asked in silence of rows one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from dpframe.errors import DataError, SpecError
from dpframe.front.estimators.manners import BaseEstimator, TransformerMixin, polite
from dpframe.front.estimators.tables import as_table, check_apart, read_rows
from dpframe.kernel.foreign import quiet, rowwise
from dpframe.runtime.sources import open_source

WIDTHS, MADE_UP = (1, 2, 3, 5), 5
"""Columns and rows of tables that are made up, to see whether a step looks at other rows."""
INSTEAD = {"Scaler": "PrivateStandardScaler", "PCA": "PrivatePCA"}


def checked(place: int, step: Any) -> Any:
    """A step that learns nothing, as one that private rows go through; one that passes everything on as it is.

    Raises
    ------
    SpecError
        For one that learns, or has learned, without privacy, or that looks at other rows.
    """
    name = type(step).__name__
    fitted = [a for a in vars(step) if a.endswith("_") and not a.startswith("_")] if hasattr(step, "__dict__") else []
    if step in ("passthrough", None):
        return step
    tags = getattr(step, "__sklearn_tags__", None)
    if tags is None or isinstance(step, type) or tags().requires_fit or fitted:
        private = next((p for word, p in INSTEAD.items() if word in name), "a private estimator")
        raise SpecError(
            f"step {place}, {name}, {'was fitted' if fitted else 'learns from its rows'} without privacy",
            fix=f"use {private} in its place, or a transformer that learns nothing",
        )
    for d in WIDTHS:
        _check_apart_from_others(step, step.transform, d)
    return RowStep(step)


class RowStep(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that learns nothing, for private rows.

    What it raises or warns of at one row would tell of that row, and tags do not say when a step does either. So rows
    with a missing or infinite cell never reach it and come out as NaN, and so does a row at which it fails.

    Parameters
    ----------
    step : transformer
        It maps each row by itself: one that looks at others breaks every guarantee behind it. That is tried on made-up
        rows, and else believed.
    """

    def __init__(self, step: Any) -> None:
        self.step = step

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn nothing; refuse a ``y`` that may be in another order than X, which the next step sees as an array."""
        with polite():
            check_apart(X, y)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.requires_fit = False
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def transform(self, X: Any) -> Any:
        """Images of rows (n, p), NaN where there is none; a frame where the step makes one of a public row.

        Raises
        ------
        DataError
            For a step that makes no row of numbers of zeros, nor of ones.
        SpecError
            For one that looks at other rows, as far as made-up ones show it.
        """
        with polite():
            rows = read_rows(open_source(as_table(X)))

            def images(values: Any) -> Any:
                return self.step.transform(_as(X, values))

            known = [np.full((1, rows.shape[1]), number) for number in (0.0, 1.0)]
            asked = next((row for row in known if _width(quiet(images, row.copy()))), None)
            if asked is None:
                raise DataError(
                    f"{type(self.step).__name__} makes no row of numbers of a row of {rows.shape[1]} zeros or ones",
                    fix="let it take and give numbers alone, as many columns for every row",
                )
            _check_apart_from_others(self.step, images, rows.shape[1])
        public = quiet(images, asked.copy())
        missing = np.isnan(rows).any(axis=1)
        rows[missing] = asked  # no row stands elsewhere in the batch because another one is missing
        found = rowwise(images, rows, _width(public))
        found[missing] = np.nan
        return _as(public, found)


def _check_apart_from_others(step: Any, images: Callable[[Any], Any], d: int) -> None:
    """Refuse a step by which one record would move what is made of others: seen on rows that are made up."""
    rng = np.random.default_rng(0)
    for rows in (rng.uniform(0.5, 2.0, (MADE_UP, d)), 10.0 * rng.standard_normal((MADE_UP, d))):
        alone = [quiet(np.array, quiet(images, rows[i : i + 1].copy()), dtype=np.float64) for i in range(MADE_UP)]
        together = quiet(np.array, quiet(images, rows.copy()), dtype=np.float64)
        if together is None or any(one is None or one.ndim != 2 or len(one) != 1 for one in alone):
            continue  # it does not take such rows, or fails at one
        stacked = quiet(np.concatenate, alone)  # None for rows of unlike lengths
        alike = stacked is not None and together.shape == stacked.shape
        if not alike or not np.allclose(together, stacked, rtol=1e-6, atol=1e-9, equal_nan=True):
            raise SpecError(
                f"{type(step).__name__} makes another row of a row when others stand beside it, or when asked again",
                fix="let it map each row by itself; what looks at all rows learns from them: use a private estimator",
            )


def _width(made: Any) -> int:
    """Numbers of one row; 0 of whatever else."""
    row = None if made is None else quiet(np.array, made, dtype=np.float64)
    return int(row.shape[1]) if row is not None and row.ndim == 2 and len(row) == 1 else 0


def _as(like: Any, values: Any) -> Any:
    """Rows as a frame of pandas with the columns of another one; of anything else as they are."""
    pandas = type(like).__module__.partition(".")[0] == "pandas" and hasattr(like, "columns")
    return type(like)(values, columns=like.columns) if pandas else values
