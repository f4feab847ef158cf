"""Find the source that reads a given table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DataError, DpframeError
from dpframe.hints import DELIMITERS, FORMS, conversion
from dpframe.runtime.sources.arrays import ArraySource, NpySource
from dpframe.runtime.sources.base import Description, TableSource
from dpframe.runtime.sources.columns import Columns, numbers_of
from dpframe.runtime.sources.delimited import CsvSource
from dpframe.runtime.sources.frames import arrow_source, check_arrow, pandas_source, polars_source
from dpframe.runtime.sources.many import (
    ManySource,
    Opener,
    dask_array_source,
    dask_frame_source,
    dataset_source,
    reader_source,
)
from dpframe.runtime.sources.parquet import FeatherSource, ParquetSource
from dpframe.runtime.sources.pieces import unchained
from dpframe.runtime.sources.places import GONE, WILD, Disk, Place, Store, locate

_tabbed = partial(CsvSource, delimiter="\t")
_FILES: dict[str, Callable[[Place, Columns], TableSource]] = {
    ".npy": NpySource,
    ".csv": CsvSource,
    ".csv.gz": CsvSource,
    ".tsv": _tabbed,
    ".tsv.gz": _tabbed,
    ".parquet": ParquetSource,
    ".feather": FeatherSource,
}
_LIBRARIES: dict[str, Callable[[Any, Columns], TableSource]] = {
    "pandas": pandas_source,
    "polars": polars_source,
    "pyarrow": arrow_source,
    "duckdb": arrow_source,
}


@attrs.frozen
class Delimited:
    """The path of a CSV file, or a glob of them, whose cells are separated by another sign than a comma."""

    path: str | os.PathLike[str]
    delimiter: str = attrs.field()

    @delimiter.validator
    def _known(self, _: Any, given: Any) -> None:
        if given not in DELIMITERS and given not in DELIMITERS.values():
            raise DataError(f"delimiter {given!r} is not known", fix=f"give one of {', '.join(DELIMITERS)}")

    @property
    def sign(self) -> str:
        """The character between cells."""
        return DELIMITERS.get(self.delimiter, self.delimiter)


def open_source(data: Any, *, columns: Columns = None) -> TableSource:
    """Open a table for reading in chunks.

    Parameters
    ----------
    data : array, list of rows, path, data frame, reader or Dask array
        A NumPy array or memory map (1-D is one column) or a list of rows; the path (or with fsspec the URL) of an
        `.npy`, `.csv`, `.csv.gz`, `.parquet` or `.feather` file, of a folder of Parquet files, or a glob, or a
        :class:`Delimited`; a pandas, Polars or Dask DataFrame, a pyarrow Table or Dataset, a Dask array; a Polars
        LazyFrame or a DuckDB relation, which is computed once, here; a function that opens a reader anew each time.
    columns : sequence of str or int, optional
        The columns to use, in this order; all by default. An integer means the column of that name if there
        is one, else the 0-based position. Columns of arrays are named "0", "1", …

    Returns
    -------
    TableSource
        Nothing but the header or the schema has been read yet, where nothing had to be computed.

    Raises
    ------
    DataError
        If there is no such file or column, or the table does not hold numbers. No message quotes a cell.

    Notes
    -----
    Integers and float32 become float64 exactly up to 2^53, beyond it to the nearest. A missing, NaN or
    infinite value empties its row (`Chunk`). In a list a cell is a number if Python's ``float`` makes one of it, be it
    a text; any other is missing.

    Examples
    --------
    >>> source = open_source([[1.0, 2.0], [3.0, float("nan")]])
    >>> source.d, source.count_rows()
    (2, 2)
    >>> [chunk.valid.tolist() for chunk in source.chunks(rows=10)]
    [[True, False]]
    """
    if isinstance(data, Description):
        return data.open(columns)
    if isinstance(data, Delimited):
        return _open_path(data.path, columns, data.sign)
    if isinstance(data, str | os.PathLike):
        return _open_path(data, columns)
    return open_stream(data, _open_piece, columns) or _open_piece(data, columns)


def open_stream(data: Any, opener: Opener, columns: Columns) -> TableSource | None:
    """A table that is handed out anew in each pass, as tables in memory, which the opener opens; None for another."""
    kinds = {cls.__name__: cls.__module__.partition(".")[0].strip("_") for cls in type(data).__mro__}
    if kinds.get("Dataset") == "pyarrow":
        return dataset_source(data, opener, columns, all_of_it=opener is not _open_piece)
    if kinds.get("DataFrame") == "dask":
        return dask_frame_source(data, opener, columns)
    if "dask" in kinds.values():
        return dask_array_source(data, opener, columns)
    if isinstance(data, Iterator):
        raise DataError(
            f"a {type(data).__name__} can be read once, a run may read its table many times",
            fix="pass a function that opens it anew each time, or the table that it gives",
        )
    if callable(data) and not isinstance(data, type):
        return reader_source(data, opener, columns)
    return None


def _open_piece(data: Any, columns: Columns) -> TableSource:
    """A table in memory."""
    if isinstance(data, np.ndarray):
        return ArraySource(data, columns)
    if isinstance(data, list | tuple):
        return ArraySource(listed(data), columns)
    for cls in type(data).__mro__:
        opener = _LIBRARIES.get(cls.__module__.partition(".")[0].strip("_"))
        if opener is not None:
            return opener(data, columns)
    raise DataError(
        f"a table cannot be of type {type(data).__name__}",
        fix=f"pass an array, a DataFrame, a function that opens a reader, or a path: {FORMS}",
    )


def _open_path(path: str | os.PathLike[str], columns: Columns, delimiter: str | None = None) -> TableSource:
    store, text = locate(path)
    found: TableSource | None = None
    try:
        found = _open_place(store, text, columns, delimiter)
    except DpframeError:
        raise
    except Exception:
        if isinstance(store, Disk):
            raise
    if found is None:
        raise DataError(f"{os.fspath(path)!r} cannot be read", fix="check URL and rights, or copy it to this machine")
    return found


def _open_place(store: Store, path: str, columns: Columns, delimiter: str | None) -> TableSource:
    place = Place(path, store)
    if store.is_file(path):
        opener = _opener(place, delimiter)
        _check_readable(place)
        return opener(place, columns)
    if store.is_folder(path):
        check_arrow("a folder of .parquet files")
        return ManySource(partial(_in_folder, store, path), ParquetSource, columns)
    if any(sign in path for sign in WILD):
        opener = _opener(_matching(store, path)[0], delimiter)
        return ManySource(partial(_matching, store, path), opener, columns)
    if store.stamp(path) != GONE:  # a pipe, a device: what it gives once is not there twice
        raise DataError(f"{path!r} is no regular file", fix=f"save the table in one; a table is {FORMS}")
    _opener(place, delimiter)  # an ending that is none is said first
    raise DataError(f"there is no file {path!r}", fix=f"check the path; a table is {FORMS}")


def _check_readable(place: Place) -> None:
    if isinstance(place.store, Disk) and not os.access(place.path, os.R_OK):
        raise DataError(f"the file {place.path!r} cannot be read", fix="check its permissions")


def _ending(name: str) -> str | None:
    """The longest known ending of a name."""
    return max((end for end in _FILES if name.lower().endswith(end)), key=len, default=None)


def has_cells(path: str) -> bool:
    """Whether a path or a glob is of files with separated cells."""
    end = _ending(path)
    return end is not None and _FILES[end] in {CsvSource, _tabbed}


def _opener(place: Place, delimiter: str | None) -> Callable[[Place, Columns], TableSource]:
    """The function that opens a file with this ending."""
    end = _ending(place.name)
    if end is None:
        raise DataError(f"{place.name!r} has no known ending", fix=conversion(place.name))
    opener = _FILES[end]
    if opener in {ParquetSource, FeatherSource}:
        check_arrow(f"a {end} file")
    if delimiter is None:
        return opener
    if opener not in {CsvSource, _tabbed}:
        raise DataError(f"{place.name!r} has no delimiter: that is for .csv and .tsv", fix="leave --delimiter out")
    return partial(CsvSource, delimiter=delimiter)


def _ordered(store: Store, paths: Sequence[str]) -> list[Place]:
    """Files in the order of their paths; a file by two names would be read twice.

    Names that begin with a dot or an underscore are left out, as other readers of such folders do.
    """
    places = [Place(path, store) for path in sorted(set(paths))]
    places = [place for place in places if not place.name.startswith((".", "_"))]
    seen: dict[Any, Place] = {}
    for place in places:
        if not store.is_file(place.path):
            raise DataError(
                f"{place.name!r} is no file", fix="move it away, or give a glob of the files: 'folder/*.parquet'"
            )
        first = seen.setdefault(store.same(place.path), place)
        if first is not place:
            raise DataError(f"{first.name!r} and {place.name!r} are one file", fix="remove one of the links")
    return places


def _in_folder(store: Store, folder: str) -> list[Place]:
    """The Parquet files of a folder, which holds nothing else."""
    places = _ordered(store, store.listed(folder))
    other = next((place for place in places if _ending(place.name) != ".parquet"), None)
    glob = f"{folder.rstrip('/')}/*"
    if other is not None:
        some = any(_ending(place.name) == ".parquet" for place in places)
        raise DataError(
            f"the folder {folder!r} holds {other.name!r}, which is no .parquet file",
            fix="move it away, or give a glob of the files that are meant: "
            f"{glob + ('.parquet' if some else _ending(other.name) or '.csv')!r}",
        )
    if not places:
        raise DataError(
            f"the folder {folder!r} holds no .parquet file", fix=f"check the path, or give a glob: {glob + '.csv'!r}"
        )
    return places


def _matching(store: Store, pattern: str) -> list[Place]:
    """The files that a glob matches, all of one ending."""
    places = _ordered(store, store.matching(pattern))
    if not places:
        raise DataError(
            f"no file matches {pattern!r}", fix="check the path; quote the glob, so that no shell expands it"
        )
    ends = {_ending(place.name): place for place in reversed(places)}
    if len(ends) > 1:
        names = " and ".join(sorted(repr(place.name) for place in ends.values()))
        raise DataError(f"{pattern!r} matches files of several kinds, {names}", fix="give a glob of one ending")
    return places


def listed(rows: Sequence[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A list of rows, or of numbers, as an array of float64: what is no number is missing, whatever others are."""
    fix = "pass (n, d) numbers, NaN or None for missing"
    error = partial(DataError, "the rows are not equally long lists of numbers", fix=fix)
    return unchained(partial(numbers_of, rows), error)
