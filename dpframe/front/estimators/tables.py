"""How X and y become one table: what their types and shapes say is checked here, and no cell is looked at."""

from __future__ import annotations

import warnings
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError
from dpframe.runtime.sources import TableSource, in_memory, open_source

Floats: TypeAlias = npt.NDArray[np.float64]
CHUNK = 2**16

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


def with_target(X: Any, y: Any, columns: Any) -> tuple[Any, Any, tuple[str | int, ...]]:
    """Features (n, d) with NaN for missing cells, the target (n,), and what the features' columns are called.

    Parameters
    ----------
    X : table
    y : array, or the name of a column of X
        A named column is no feature.
    columns : sequence, optional
        The features.
    """
    X = in_memory(as_fitted(X))
    if y is None:
        raise DataError(
            "the fit requires y to be passed, but the target y is None", fix="give y=..., an array or a column's name"
        )
    if isinstance(y, str):
        name = y
        whole = open_source(X, columns=[name])
        columns = (lambda names, named: [n for n in names if n != name]) if columns is None else columns
        y = np.asarray(X[name]) if hasattr(X, "columns") and hasattr(X, "__getitem__") else read_rows(whole)[:, 0]
    source = open_source(X, columns=columns)
    if source.d < 1:
        raise DataError("X has no column besides the target", fix="give features")
    target = np.asarray(y)
    if target.ndim == 2 and target.shape[1] == 1:
        _warn_of_column(target)
        target = target[:, 0]
    rows = read_rows(source)
    if target.ndim != 1 or len(target) != len(rows):
        raise DataError(
            f"X and y have inconsistent shapes: {len(rows)} rows and a y of shape {target.shape}",
            fix="give one value of y for each row",
        )
    check_rows(len(rows))
    return rows, target, source.labels


def _warn_of_column(target: Any) -> None:
    """As scikit-learn warns of a y that is a column, where it is installed."""
    try:
        from sklearn.exceptions import DataConversionWarning
    except ImportError:
        return
    warnings.warn(
        f"A column-vector y was passed when a 1d array was expected: shape {target.shape}",
        DataConversionWarning,
        stacklevel=2,
    )


def read_rows(source: TableSource) -> Floats:
    """All rows of a table; a row with a missing cell is NaN as a whole, and so empty for every program."""
    chunks = []
    for chunk in source.chunks(CHUNK):
        values = np.array(chunk.values)
        values[~chunk.valid] = np.nan
        chunks.append(values)
    return np.concatenate(chunks) if chunks else np.empty((0, source.d))


def as_numbers(target: Any) -> Floats:
    """A target of numbers, by its type."""
    if target.dtype.kind not in "iufb":
        raise DataError(
            f"y (dtype {target.dtype}) does not hold numbers: Unknown label type", fix="convert it to numbers"
        )
    return np.asarray(target, dtype=np.float64)


def codes_of(target: Any, classes: Any) -> Floats:
    """The place of each label among the declared classes; NaN, an empty row, for any other.

    A row's code depends on its own label and on the public list alone.
    """
    codes = np.full(len(target), np.nan)
    for place, label in enumerate(classes):
        codes[np.asarray(target == label, dtype=bool)] = float(place)
    return codes
