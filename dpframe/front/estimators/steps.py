"""Steps of a pipeline that are not ours: refused where they learn, and asked in silence of rows one by one."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from dpframe.errors import DataError, SpecError
from dpframe.front.estimators.manners import BaseEstimator, TransformerMixin, polite
from dpframe.front.estimators.tables import as_table, check_apart, read_rows
from dpframe.kernel.foreign import quiet, rowwise
from dpframe.runtime.sources import open_source

INSTEAD = {"Scaler": "PrivateStandardScaler", "PCA": "PrivatePCA"}


def checked(place: int, step: Any) -> Any:
    """A step that learns nothing, as one that private rows go through; one that passes everything on as it is.

    Raises
    ------
    SpecError
        For one that learns, or has learned, without privacy.
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
    return RowStep(step)


class RowStep(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer that learns nothing, for private rows.

    What it raises or warns of at one row would tell of that row, and tags do not say when a step does either. So rows
    with a missing or infinite cell never reach it and come out as NaN, and so does a row at which it fails.

    Parameters
    ----------
    step : transformer
        It maps each row by itself.
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
        public = quiet(images, asked.copy())
        missing = np.isnan(rows).any(axis=1)
        rows[missing] = asked  # no row stands elsewhere in the batch because another one is missing
        found = rowwise(images, rows, _width(public))
        found[missing] = np.nan
        return _as(public, found)


def _width(made: Any) -> int:
    """Numbers of one row; 0 of whatever else."""
    row = None if made is None else quiet(np.array, made, dtype=np.float64)
    return int(row.shape[1]) if row is not None and row.ndim == 2 and len(row) == 1 else 0


def _as(like: Any, values: Any) -> Any:
    """Rows as a frame of pandas with the columns of another one; of anything else as they are."""
    pandas = type(like).__module__.partition(".")[0] == "pandas" and hasattr(like, "columns")
    return type(like)(values, columns=like.columns) if pandas else values
