"""Data frames of pandas, Polars and Arrow, told apart by module name and never imported from here."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from dpframe.errors import DataError
from dpframe.runtime.sources.base import Cells, IndexedSource
from dpframe.runtime.sources.columns import NUMBER_KINDS, Columns, check_numbers
from dpframe.runtime.sources.ids import Ids, has_arrow
from dpframe.runtime.sources.pieces import Floats, unchained


class FrameSource(IndexedSource):
    """A data frame in memory, converted to float64 one slice at a time.

    Parameters
    ----------
    names : sequence of str
        All columns of the frame.
    length : int
        Its rows.
    types : sequence
        Types of all columns, as their library prints them.
    numbers : sequence of bool
        Whether they are numbers.
    column : callable
        `column(start, stop, position)`: some rows of that column.
    cells : Cells
        How they are read.
    columns : sequence of str or int, optional
        The selected columns.
    """

    def __init__(
        self,
        names: Sequence[str],
        length: int,
        *,
        types: Sequence[Any],
        numbers: Sequence[bool],
        column: Callable[[int, int, int], Any],
        cells: Cells,
        columns: Columns,
    ) -> None:
        super().__init__(names, columns)
        check_numbers(names, self._data, types, numbers)
        self._see_type(types)
        self._length, self._column, self._cells = length, column, cells

    def between(self, start: int, stop: int, rows: int) -> Iterator[Floats]:
        """The rows from ``start`` to ``stop`` alone."""
        for first in range(start, stop, rows):
            column = partial(self._column, first, min(first + rows, stop))
            yield np.stack(self._read(column, self._cells), axis=1)


def pandas_source(frame: Any, columns: Columns) -> FrameSource:
    """A pandas DataFrame; NaN, None and NA are missing."""
    require_type(frame, "DataFrame")

    return FrameSource(
        [str(name) for name in frame.columns],
        len(frame),
        types=list(frame.dtypes),
        numbers=[_is_pandas_number(dtype) for dtype in frame.dtypes],
        column=lambda start, stop, j: frame.iloc[start:stop, j],
        cells=Cells(_pandas_floats, lambda ids, series: ids.objects(typed(series))),
        columns=columns,
    )


def typed(column: Any) -> Any:
    """A column of any library as an array of the type that its schema says, masked where whole numbers are missing.

    The libraries' own conversions make floats, or objects, of whole numbers and flags among which one is missing: then
    that cell would decide how all others are read, and which type a result has.
    """
    for cls in type(column).__mro__:
        reader = _TYPED.get(cls.__module__.partition(".")[0].strip("_"))
        if reader is not None:
            return reader(column)
    return np.asarray(column)


def _typed_pandas(series: Any) -> Any:
    kind = series.dtype
    if hasattr(kind, "pyarrow_dtype"):
        return _typed_arrow(series.array.__arrow_array__())
    if hasattr(kind, "categories"):
        known, places = _typed_pandas(kind.categories.to_series()), np.asarray(getattr(series, "cat", series).codes)
        if known.dtype.kind not in "iubf":
            return np.asarray(series.astype(object))
        values = np.append(np.ma.getdata(known), np.zeros(1, known.dtype))[places]  # −1, the zero, for a missing one
        return np.ma.masked_array(values, places < 0)
    numbers = getattr(kind, "numpy_dtype", None)
    if isinstance(numbers, np.dtype) and numbers.kind in "iub":
        values = series.to_numpy(dtype=numbers, na_value=numbers.type(0))
        return np.ma.masked_array(values, np.asarray(series.isna()))
    return series.to_numpy()


def _typed_polars(series: Any) -> Any:
    kind, whole = series.dtype, "128" not in str(series.dtype) and series.dtype.is_integer()
    if whole or str(kind) == "Boolean":
        return np.ma.masked_array(series.fill_null(0 if whole else False).to_numpy(), series.is_null().to_numpy())
    if kind.is_float() or kind.is_temporal():
        return series.to_numpy()
    return np.fromiter(series.to_list(), dtype=object, count=len(series))


def _typed_arrow(column: Any) -> Any:
    types = importlib.import_module("pyarrow").types
    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    whole = types.is_integer(column.type)
    if not whole and not types.is_boolean(column.type):
        return np.asarray(column)
    return np.ma.masked_array(np.asarray(column.fill_null(0 if whole else False)), np.asarray(column.is_null()))


_TYPED: dict[str, Callable[[Any], Any]] = {
    "pandas": _typed_pandas,
    "polars": _typed_polars,
    "pyarrow": _typed_arrow,
    "dask": lambda column: typed(column.compute()),
}


def _pandas_floats(series: Any) -> Floats:
    with np.errstate(all="ignore"):  # as of any cast
        values: Floats = series.to_numpy(dtype=np.float64, na_value=np.nan)
    return values


def _is_pandas_number(dtype: Any) -> bool:
    """Whether a column's type is a number's; decimals are Arrow's."""
    inner = getattr(dtype, "pyarrow_dtype", None)
    return is_arrow_number(inner) if inner is not None else getattr(dtype, "kind", "O") in NUMBER_KINDS


def polars_source(frame: Any, columns: Columns) -> FrameSource:
    """A Polars DataFrame, or a lazy one, collected once; null and NaN are missing."""
    frame = in_memory(frame)
    require_type(frame, "DataFrame")
    polars = importlib.import_module("polars")
    float64, boolean = polars.Float64, polars.Boolean

    return FrameSource(
        list(frame.columns),
        len(frame),
        types=frame.dtypes,
        numbers=[bool(kind.is_numeric() or kind == boolean) for kind in frame.dtypes],
        column=lambda start, stop, j: frame.to_series(j).slice(start, stop - start),
        cells=Cells(lambda series: series.cast(float64, strict=False).to_numpy(), Ids.polars),
        columns=columns,
    )


def arrow_source(table: Any, columns: Columns) -> FrameSource:
    """A pyarrow Table, a batch of rows, or a DuckDB relation, fetched once; null and NaN are missing."""
    table = in_memory(table)
    if not _is_a(table, "RecordBatch"):
        require_type(table, "Table")
    return FrameSource(
        list(table.schema.names),
        table.num_rows,
        types=table.schema.types,
        numbers=[is_arrow_number(kind) for kind in table.schema.types],
        column=lambda start, stop, j: table.column(j).slice(start, stop - start),
        cells=ARROW,
        columns=columns,
    )


def check_arrow(what: str) -> None:
    """Refuse what only pyarrow reads where it is not installed.

    Raises
    ------
    DataError
    """
    if not has_arrow():
        raise DataError(
            f"{what} is read by pyarrow, which is not installed",
            fix="pip install 'dpframe[tables]', or give an array, a .npy or a .csv",
        )


def is_arrow_number(kind: Any) -> bool:
    """Whether an Arrow type is integer, float, decimal or boolean, encoded by a dictionary or not."""
    types = importlib.import_module("pyarrow").types
    kind = kind.value_type if types.is_dictionary(kind) else kind
    tests = (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean)
    return any(test(kind) for test in tests)


def arrow_floats(column: Any) -> Floats:
    """An Arrow column of numbers as float64, null as NaN."""
    if str(column.type).startswith("dictionary"):
        column = column.cast(column.type.value_type)
    if str(column.type) != "double":
        column = column.cast("float64", safe=False)
    values: Floats
    if hasattr(column, "__dlpack__") and column.null_count == 0:
        values = np.asarray(np.from_dlpack(column))  # pyarrow's own way imports pandas: .3 s, 45 MB in every process
    else:
        values = column.to_numpy(zero_copy_only=False)
    return values


ARROW = Cells(arrow_floats, Ids.arrow)

# How what promises no order of rows is made a table that has one.
_LAZY = {"LazyFrame": "collect", "DuckDBPyRelation": "to_arrow_table"}


def in_memory(data: Any) -> Any:
    """A lazy frame or a relation as a table in memory: computed once, for another time its rows may stand elsewhere.

    Raises
    ------
    DataError
        When it can't be computed.
    """
    if not is_lazy(data):
        return data
    name, method = type(data).__name__, next(_LAZY[cls.__name__] for cls in type(data).__mro__ if cls.__name__ in _LAZY)
    if method == "to_arrow_table":
        check_arrow(f"a {name}")
    fix = f"call its .{method}() first, and pass what it gives"
    return unchained(getattr(data, method), lambda: DataError(f"the {name} could not be computed", fix=fix))


def is_lazy(data: Any) -> bool:
    """Whether it is a lazy frame or a relation."""
    ours = type(data).__module__.partition(".")[0].strip("_") in {"polars", "duckdb"}
    return ours and any(cls.__name__ in _LAZY for cls in type(data).__mro__)


def require_type(table: Any, name: str) -> None:
    """Refuse the other things that a library calls its own: series, scalars."""
    if not _is_a(table, name):
        raise DataError(f"{type(table).__name__} is not a {name}", fix=f"convert or collect it to a {name} first")


def _is_a(table: Any, name: str) -> bool:
    return any(cls.__name__ == name for cls in type(table).__mro__)
