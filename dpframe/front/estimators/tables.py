"""How X and y become one table: what their types and shapes say is checked here, and no cell is looked at."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpframe.errors import DataError

ENOUGH = 2
"""The fewest rows of a table whose number of rows is public."""


def as_table(X: Any) -> Any:
    """A table that sources can open, or one clear refusal by its type and shape."""
    if hasattr(X, "tocsr"):
        raise DataError(
            f"sparse input is not supported: X is a {type(X).__name__}, dense data is required", fix="give X.toarray()"
        )
    known = isinstance(X, (str, list, tuple, np.ndarray)) or hasattr(X, "columns") or hasattr(X, "__fspath__")
    if not known and hasattr(X, "__array__") and type(X).__module__.partition(".")[0] != "dask":
        X = np.asarray(X)
    if isinstance(X, np.ndarray):
        _check_array(X)
    return X


def _check_array(X: Any) -> None:
    if X.dtype.kind == "c":
        raise DataError("Complex data not supported: X holds complex numbers", fix="give real columns")
    if X.ndim == 2 and X.shape[1] == 0:
        raise DataError(f"X has 0 feature(s) (shape={X.shape}) while a minimum of 1 is required", fix="give it columns")


def as_fitted(X: Any) -> Any:
    """As :func:`as_table`, for a fit: of two dimensions."""
    X = as_table(X)
    if isinstance(X, np.ndarray) and X.ndim != 2:
        raise DataError(
            f"Expected 2D array, got {X.ndim}D array instead. Reshape your data",
            fix="X.reshape(-1, 1) for one column, X.reshape(1, -1) for one row",
        )
    return X


def check_rows(rows: int) -> None:
    """Refuse a table whose public number of rows is too small to learn from."""
    if rows < ENOUGH:
        raise DataError(
            f"the table has n_samples = {rows}: {rows} sample(s), a minimum of {ENOUGH} is required",
            fix="give a larger table",
        )
