"""How X and y become one table: what their types and shapes say is checked here; the kernel's sources read them."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeAlias

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError
from dpframe.front.estimators import units
from dpframe.front.estimators.naming import cells_of, column_of, is_dask
from dpframe.runtime.sources import (
    Coded,
    Description,
    Joined,
    Named,
    Piece,
    TableSource,
    Values,
    Whole,
    in_memory,
    is_lazy,
    listed,
    open_source,
    vector,
)
from dpframe.runtime.sources.columns import type_name
from dpframe.runtime.sources.pieces import unchained

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
    known = (
        isinstance(X, (str, list, tuple, np.ndarray, Description))
        or hasattr(type(X), "columns")  # asked of a frame that is lazy, it may warn
        or hasattr(X, "__fspath__")
    )
    if not known and hasattr(X, "__array__") and type(X).__module__.partition(".")[0] != "dask":
        array = X
        X = unchained(
            lambda: np.asarray(array),
            lambda: DataError(f"X, a {type(array).__name__}, could not be made an array", fix="give an array"),
        )
    if isinstance(X, np.ndarray):
        _check_array(X)
    return X


def _check_array(X: Any) -> None:
    if X.dtype.kind == "c":
        raise DataError("Complex data not supported: X holds complex numbers", fix="give real columns")
    if X.ndim == 2 and X.shape[1] == 0:
        raise DataError(f"X has 0 feature(s) (shape={X.shape}) while a minimum of 1 is required", fix="give it columns")


def as_fitted(X: Any) -> Any:
    """A table for a fit: as :func:`as_table` gives it, and refused unless it has two dimensions."""
    X = as_table(X)
    flat = isinstance(X, (list, tuple)) and len(X) > 0 and not isinstance(X[0], list | tuple) and np.ndim(X[0]) == 0
    dimensions = 1 if flat else X.ndim if isinstance(X, np.ndarray) else 2
    if dimensions != 2:
        raise DataError(
            f"Expected 2D array, got {dimensions}D array instead. Reshape your data",
            fix="X.reshape(-1, 1) for one column, X.reshape(1, -1) for one row",
        )
    return X


def check_rows(rows: int, clusters: int = 1) -> None:
    """Refuse a table whose public number of rows is too small to learn from, or to make so many clusters of."""
    if rows < ENOUGH:
        raise DataError(
            f"the table has n_samples = {rows}: {rows} sample(s), a minimum of {ENOUGH} is required",
            fix="give a larger table",
        )
    if rows < clusters:
        raise DataError(
            f"the table has n_samples = {rows} rows, fewer than the {clusters} clusters that are asked for",
            fix="ask for fewer, at most one for some dozens of rows, or give a larger table",
        )


@attrs.frozen(eq=False)
class Target:
    """Features and a target that were not looked at: tables to be joined when a run opens them.

    Attributes
    ----------
    features : Piece
    target : table of one column
    d : int
        Number of features.
    names : tuple
        What these are called.
    dtype : dtype
        Of the target; of a column of a file or a reader float64.
    beside : callable
        Puts the ids of units beside a table that was put together of these rows.
    """

    features: Piece
    target: Any
    d: int
    names: tuple[str | int, ...]
    dtype: Any
    beside: Callable[[Any], Any]

    def joined(self, reader: Any = None) -> Any:
        """Features and, last, the target by this reader; with the ids of units where there are any."""
        return self.beside(Joined((self.features, Piece(self.target, None, reader))))


def with_target(X: Any, y: Any, columns: Any, unit: Any = None) -> Target:
    """Features and their target.

    Parameters
    ----------
    X : table
    y : array, or the name of a column of X
        A named column is no feature.
    columns : sequence, optional
        The features.
    unit : str or int, optional
        The column of X that says which unit a row belongs to.
    """
    check_apart(X, y)
    X = in_memory(as_fitted(X))
    if y is None:
        raise DataError(
            "the fit requires y to be passed, but the target y is None", fix="give y=..., an array or a column's name"
        )
    target = target_of(X, y)
    columns = units.data_of(unit, X, columns, *([y] if isinstance(y, str) else []))
    source = open_source(X, columns=columns)
    beside = functools.partial(units.beside, unit, X)
    return Target(Piece(X, columns), target, source.d, source.labels, dtype_of(target), beside)


def target_of(X: Any, y: Any) -> Description:
    """A target, an array or the name of a column of X, as a table of one column."""
    if isinstance(y, Description):
        return y
    if not isinstance(y, str):
        return Values(_one_column(cells_of(_of_frame(y))))
    Piece(Named(X, y), reader=Whole()).open()  # there is such a column
    return column_of(X, y)


def check_apart(X: Any, y: Any) -> None:
    """Refuse X and y of which one is lazy: they are computed apart, so their rows may stand in different orders."""
    if y is None or isinstance(y, str | Description):
        return
    anew = is_dask(y) and open_source(X, columns=Coded(Whole(), lambda names, _: names[:1])).tied
    lazy = next((which for which in (X, y) if is_lazy(which)), y if anew else None)
    if lazy is not None:
        raise DataError(
            f"X and y are computed apart, as a {type(lazy).__name__} is, so their rows may stand in different orders",
            fix="give y as the name of a column of X, y='column', or collect both at once and pass what that gives",
        )


def numbers_of(y: Any) -> Any:
    """A list as numbers, each cell by itself, as a list of features is read; whatever else is given as it is."""
    return listed(y) if isinstance(y, list | tuple) else y


def _of_frame(y: Any) -> Any:
    """The only column of a frame; whatever else is given as it is."""
    names = getattr(y, "column_names", getattr(y, "columns", None))
    if names is None or getattr(y, "ndim", 2) == 1:  # a series of Dask has columns, too
        return y
    if len(names) != 1:
        raise DataError(
            f"X and y have inconsistent shapes: y has {len(names)} columns", fix="give one value of y for each row"
        )
    _warn_of_column(y)
    return y[names[0]]


def _one_column(target: Any) -> Any:
    """A target by its shape."""
    if target.ndim == 2 and target.shape[1] == 1:
        _warn_of_column(target)
        target = target[:, 0]
    if target.ndim != 1:
        raise DataError(
            f"X and y have inconsistent shapes: y has {target.ndim} dimensions", fix="give one value of y for each row"
        )
    return target


def dtype_of(target: Any) -> Any:
    """The type of a target; what Dask computes says it beforehand."""
    if isinstance(target, Named) and is_dask(target.data) and hasattr(target.data, "_meta_nonempty"):
        return vector(target.data._meta[target.column]).dtype
    return target.values.dtype if isinstance(target, Values) else np.dtype(np.float64)


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
    """All rows of a table that the caller may see; a row with a missing cell is NaN as a whole.

    One that is handed out anew is read twice and compared, for what a pipeline makes of it may stand beside a target.
    """
    for _ in source.chunks(CHUNK) if source.tied else ():
        pass
    chunks = []
    for chunk in source.chunks(CHUNK):
        values = np.array(chunk.values)
        values[~chunk.valid] = np.nan
        chunks.append(values)
    return np.concatenate(chunks) if chunks else np.empty((0, source.d))


def check_numbers(dtype: Any) -> None:
    """A target of numbers, by its type."""
    if dtype.kind not in "iufb":
        raise DataError(
            f"y (dtype {type_name(dtype)}) does not hold numbers: Unknown label type", fix="convert it to numbers"
        )
