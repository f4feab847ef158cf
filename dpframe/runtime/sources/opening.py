"""Find the source that reads a given table."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from dpframe.errors import DataError
from dpframe.runtime.sources.arrays import ArraySource, DaskSource, NpySource
from dpframe.runtime.sources.base import Columns, TableSource
from dpframe.runtime.sources.delimited import CsvSource
from dpframe.runtime.sources.frames import arrow_source, pandas_source, polars_source
from dpframe.runtime.sources.parquet import ParquetSource

_FILES: dict[str, Callable[[Path, Columns], TableSource]] = {
    ".npy": NpySource,
    ".csv": CsvSource,
    ".parquet": ParquetSource,
}
_LIBRARIES: dict[str, Callable[[Any, Columns], TableSource]] = {
    "pandas": pandas_source,
    "polars": polars_source,
    "pyarrow": arrow_source,
    "dask": DaskSource,
}


def open_source(data: Any, *, columns: Columns = None) -> TableSource:
    """Open a table for reading in chunks.

    Parameters
    ----------
    data : array, list of rows, path, data frame or Dask array
        A NumPy array or memory map (1-D is one column) or a list of rows; the path of an `.npy`, `.csv` or
        `.parquet` file; a pandas or Polars DataFrame, a pyarrow Table, a Dask array.
    columns : sequence of str or int, optional
        The columns to use, in this order; all by default. An integer means the column of that name if there
        is one, else the 0-based position. Columns of arrays are named "0", "1", …

    Returns
    -------
    TableSource
        Nothing but the header or the schema has been read yet.

    Raises
    ------
    DataError
        If there is no such file or column, or the table does not hold numbers. No message quotes a cell.

    Notes
    -----
    Integers and float32 become float64 exactly up to 2^53, beyond it to the nearest. A missing, NaN or
    infinite value empties its row (`Chunk`).

    Examples
    --------
    >>> source = open_source([[1.0, 2.0], [3.0, float("nan")]])
    >>> source.d, source.count_rows()
    (2, 2)
    >>> [chunk.valid.tolist() for chunk in source.chunks(rows=10)]
    [[True, False]]
    """
    if isinstance(data, str | os.PathLike):
        return _open_file(Path(data), columns)
    if isinstance(data, np.ndarray):
        return ArraySource(data, columns)
    if isinstance(data, list | tuple):
        return ArraySource(_from_rows(data), columns)
    for cls in type(data).__mro__:
        opener = _LIBRARIES.get(cls.__module__.partition(".")[0])
        if opener is not None:
            return opener(data, columns)
    raise DataError(
        f"a table cannot be of type {type(data).__name__}",
        fix="pass an array, a DataFrame or the path of an .npy, .csv or .parquet file",
    )


def _open_file(path: Path, columns: Columns) -> TableSource:
    opener = _FILES.get(path.suffix.lower())
    if opener is None:
        raise DataError(f"{path.name!r} has no known ending", fix="convert it to .npy, .csv or .parquet")
    if not path.is_file():
        raise DataError(f"there is no file {str(path)!r}", fix="check the path")
    if not os.access(path, os.R_OK):
        raise DataError(f"the file {str(path)!r} cannot be read", fix="check its permissions")
    return opener(path, columns)


def _from_rows(rows: Sequence[Any]) -> np.ndarray[Any, np.dtype[Any]]:
    """A list of rows as an array; integers beyond int64 are numbers too."""
    array: np.ndarray[Any, np.dtype[Any]] | None = None
    try:
        array = np.asarray(rows)
        if array.dtype.kind == "O" and all(type(cell) in {int, float} for cell in array.flat):
            array = array.astype(np.float64)
    except (ValueError, TypeError, OverflowError):
        array = None
    if array is None:
        raise DataError("the rows are not equally long lists of numbers", fix="pass (n, d) numbers, NaN for missing")
    return array
