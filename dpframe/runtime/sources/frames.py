"""Data frames of pandas, Polars and Arrow, told apart by module name and never imported from here."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from dpframe.errors import DataError
from dpframe.runtime.sources.base import NUMBER_KINDS, Columns, Floats, TableSource, check_numbers


class FrameSource(TableSource):
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
    piece : callable
        `piece(position, start, stop)`: a slice of that column as float64, NaN for missing.
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
        piece: Callable[[int, int, int], Floats],
        columns: Columns,
    ) -> None:
        super().__init__(names, columns)
        check_numbers(names, self._positions, types, numbers)
        self._length = length
        self._piece = piece

    def _count(self) -> int:
        return self._length

    def _batches(self, rows: int) -> Iterator[Floats]:
        for start in range(0, self._length, rows):
            stop = min(start + rows, self._length)
            yield np.stack([self._piece(j, start, stop) for j in self._positions], axis=1)


def pandas_source(frame: Any, columns: Columns) -> FrameSource:
    """A pandas DataFrame; NaN, None and NA are missing."""
    require_type(frame, "DataFrame")

    def piece(position: int, start: int, stop: int) -> Floats:
        series = frame.iloc[start:stop, position]
        values: Floats = series.to_numpy(dtype=np.float64, na_value=np.nan)
        return values

    kinds = [getattr(dtype, "kind", "O") for dtype in frame.dtypes]
    return FrameSource(
        [str(name) for name in frame.columns],
        len(frame),
        types=list(frame.dtypes),
        numbers=[kind in NUMBER_KINDS for kind in kinds],
        piece=piece,
        columns=columns,
    )


def polars_source(frame: Any, columns: Columns) -> FrameSource:
    """A Polars DataFrame; null and NaN are missing."""
    require_type(frame, "DataFrame")
    float64 = importlib.import_module("polars").Float64

    def piece(position: int, start: int, stop: int) -> Floats:
        part = frame.to_series(position).slice(start, stop - start)
        values: Floats = part.cast(float64, strict=False).to_numpy()
        return values

    return FrameSource(
        list(frame.columns),
        len(frame),
        types=frame.dtypes,
        numbers=[bool(kind.is_numeric()) for kind in frame.dtypes],
        piece=piece,
        columns=columns,
    )


def arrow_source(table: Any, columns: Columns) -> FrameSource:
    """A pyarrow Table; null and NaN are missing."""
    require_type(table, "Table")
    return FrameSource(
        list(table.schema.names),
        table.num_rows,
        types=table.schema.types,
        numbers=[is_arrow_number(kind) for kind in table.schema.types],
        piece=lambda j, start, stop: arrow_floats(table.column(j).slice(start, stop - start)),
        columns=columns,
    )


def is_arrow_number(kind: Any) -> bool:
    """Whether an Arrow type is integer, float or decimal."""
    types = importlib.import_module("pyarrow").types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def arrow_floats(column: Any) -> Floats:
    """An Arrow column of numbers as float64, null as NaN."""
    float64 = importlib.import_module("pyarrow").float64()
    values: Floats = column.cast(float64, safe=False).to_numpy(zero_copy_only=False)
    return values


def require_type(table: Any, name: str) -> None:
    """Refuse the other things that a library calls its own: series, lazy frames, scalars."""
    if all(cls.__name__ != name for cls in type(table).__mro__):
        raise DataError(f"{type(table).__name__} is not a {name}", fix=f"convert or collect it to a {name} first")
