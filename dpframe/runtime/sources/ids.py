"""Which unit a row belongs to: ids of any type as codes, each from its own cell alone. No id leaves this module.

An id is known by its text. Numbers that are equal are one id (1, 1.0, True and the texts 1, 1.0 and 1e0), whatever the
column's type; a missing one (null, NaN, NaT, in a CSV file also ``NA`` and the empty cell) is none. Codes are numbered
as ids are met, and stay for the life of the object, so that a row keeps its code in every reading.

What a program rounded when it wrote a column as floats is another id than it was, so all pieces of a table have ids of
one type (:func:`id_type`).
"""

from __future__ import annotations

import contextlib
import importlib
import math
import numbers
import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError

Floats = npt.NDArray[np.float64]


class Ids:
    """The ids met so far; the number of different ones is ``len``.

    ``width`` is in how many numbers :meth:`read` gives one cell.
    """

    width = 1

    def __init__(self) -> None:
        self._codes: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._codes)

    def ranks(self) -> npt.NDArray[np.int64]:
        """Place of each code in the public order of the ids, that of their bytes."""
        out = np.empty(len(self._codes), dtype=np.int64)
        out[[self._codes[key] for key in sorted(self._codes)]] = np.arange(len(self._codes))
        return out

    def read(self, codes: Floats) -> Floats:
        """The numbers that a column of codes stands for, ``width`` of them for each cell."""
        return codes

    def _key(self, cell: Any) -> bytes | None:
        """What a cell is known by; equal cells have equal keys, a missing one has none."""
        return identity(cell)

    def cells(self, cells: Iterable[Any]) -> Floats:
        """Codes of cells one by one, NaN for a missing one."""
        known, found = self._codes, []
        for cell in cells:
            key = self._key(cell)
            found.append(math.nan if key is None else known.setdefault(key, len(known)))
        return np.array(found, dtype=np.float64)

    def numbers(self, values: npt.NDArray[Any]) -> Floats:
        """Codes of an array of numbers; what stands under a mask is no id."""
        if np.ma.isMA(values):
            there = ~np.ma.getmaskarray(values)
            codes = np.full(values.shape, math.nan)
            codes[there] = self.numbers(np.ma.getdata(values)[there])
            return codes
        distinct, place = np.unique(values, return_inverse=True)
        return self.cells(distinct.tolist())[place.reshape(-1)]

    def arrow(self, column: Any) -> Floats:
        """Codes of an Arrow array or chunked array."""
        arrow, found = importlib.import_module("pyarrow"), None
        with contextlib.suppress(arrow.ArrowException):
            found = self._arrow(arrow, column)
        if found is None:
            raise DataError(f"ids of type {column.type} can't be read", fix="make them texts or integers")
        return found

    def _arrow(self, arrow: Any, column: Any) -> Floats:
        out = [np.zeros(0)]
        for piece in column.chunks if isinstance(column, arrow.ChunkedArray) else [column]:
            if arrow.types.is_nested(piece.type):
                out.append(self.cells(_listed(piece)))
                continue
            part = piece if arrow.types.is_dictionary(piece.type) else piece.dictionary_encode()
            codes = np.append(self.cells(_listed(part.dictionary)), math.nan)
            places = part.indices.cast("int64").fill_null(-1)  # those of an unsigned type have no −1
            out.append(codes[places.to_numpy(zero_copy_only=False)])
        return np.concatenate(out)

    def polars(self, series: Any) -> Floats:
        """Codes of a Polars series."""
        cells = None
        with contextlib.suppress(Exception):  # Arrow lacks some types, such as integers of 128 bits
            cells = series.to_arrow() if has_arrow() else None
        return self.arrow(cells) if cells is not None else self.cells(series.to_list())

    def objects(self, values: npt.NDArray[Any]) -> Floats:
        """Codes of an array of anything; texts alone are taken by Arrow."""
        if values.dtype.kind in "iufb":
            return self.numbers(values)
        if not has_arrow():
            return self.cells(values.tolist())
        arrow = importlib.import_module("pyarrow")
        try:
            texts = arrow.array(values, type=arrow.large_string(), from_pandas=True)
        except (arrow.ArrowException, TypeError, ValueError, OverflowError):
            texts = None
        return self.cells(values.tolist()) if texts is None else self.arrow(texts)


def _listed(cells: Any) -> list[Any]:
    """Cells of Arrow as Python's; one that Python has none for (a far date) is missing, whatever the others are."""
    found = _value(cells.to_pylist)
    return [_value(cell.as_py) for cell in cells] if found is None else found


def _value(make: Callable[[], Any]) -> Any:
    """None where Python has no such value. What Arrow refuses, it refuses for the type: an unknown time zone."""
    try:
        return make()
    except OverflowError:
        return None
    except ValueError as error:
        if type(error).__module__.startswith("pyarrow"):
            raise
        return None


def has_arrow() -> bool:
    """Whether pyarrow is installed. Without it, cells and ids are read one by one: slower, the same numbers."""
    try:
        importlib.import_module("pyarrow")
    except ImportError:
        return False
    return True


def identity(cell: Any) -> bytes | None:
    """What an id is known by, None for a missing one: a function of the cell alone, the same for equal cells.

    Examples
    --------
    >>> identity(7), identity(7.0), identity("7"), identity("ada"), identity(float("nan")), identity(None)
    (b'7', b'7', b'7', b'ada', None, None)
    >>> identity("7.00"), identity(b"1e+17"), identity("7.50"), identity("07.0")
    (b'7', b'100000000000000000', b'7.50', b'07.0')
    """
    text = text_of(cell)
    if text is None or not _WHOLE.fullmatch(text):
        return text
    number = Decimal(text.decode())
    return str(int(number)).encode() if number == number.to_integral_value() else text


_WHOLE = re.compile(rb"-?(0|[1-9]\d{0,399})(\.\d{0,399}(e[+-]?\d{1,3})?|e[+-]?\d{1,3})", re.IGNORECASE)
"""What is written as a float, and may be a whole number."""


def text_of(cell: Any) -> bytes | None:
    """The text of a cell, None for a missing one: of a number the shortest one."""
    if cell is None:
        return None
    try:
        # What Arrow takes for a text must be that text here too: which of the two reads a cell, another one may decide.
        if isinstance(cell, (bytes, bytearray, memoryview)):
            return bytes(cell) or None
        if isinstance(cell, str):  # of an enumeration its value, whatever its `__str__` says
            return str.encode(cell, errors="surrogateescape") or None
        if isinstance(cell, (numbers.Number, np.bool_)) and not isinstance(cell, complex):
            return _number(cell)
        if not bool(cell == cell):  # noqa: PLR0124  NaT and the like; NA raises
            return None
        return str(cell).encode(errors="surrogateescape") or None
    except Exception:  # noqa: BLE001  a cell that has no text is no id; which one it was is nobody's business
        return None


def _number(cell: Any) -> bytes | None:
    near = float(cell)
    if math.isnan(near):
        return None
    whole = int(cell) if math.isfinite(near) else None
    return (str(whole) if whole is not None and whole == cell else repr(near)).encode()


def id_type(kind: Any) -> str:
    """How ids of this type are written: one name for all types of whole numbers, one for all texts, else its own.

    Examples
    --------
    >>> id_type("int64"), id_type("Int32"), id_type(np.dtype("<U7")), id_type("large_string"), id_type("double")
    ('whole numbers', 'whole numbers', 'texts', 'texts', 'double')
    """
    inner = getattr(getattr(kind, "categories", None), "dtype", None)  # of pandas' categories, of an Enum of Polars
    if str(kind).startswith("dictionary"):
        inner = kind.value_type
    if inner is not None:
        return id_type(inner)
    name = kind.name if isinstance(kind, np.dtype) else str(kind)
    if re.fullmatch(r"u?int\d+(\[pyarrow\])?", name, re.IGNORECASE):
        return "whole numbers"
    return "texts" if _TEXTS.match(name) else name.removesuffix("[pyarrow]").lower()


_TEXTS = re.compile(r"(large_)?(str(?!uct)|bytes|binary|object|categorical)", re.IGNORECASE)

Choose = Callable[[tuple[str, ...], bool], Sequence[str | int]]


class Coded:
    """Columns to read, of which the first holds ids and is read as codes.

    Parameters
    ----------
    ids : Ids
        Where codes are kept.
    choose : callable
        All names of a table, and whether they are names of its own, to the columns.
    """

    def __init__(self, ids: Ids, choose: Choose) -> None:
        self.ids, self._choose = ids, choose

    def __call__(self, names: tuple[str, ...], named: bool) -> Sequence[str | int]:
        """The columns to read."""
        return self._choose(names, named)


def coded_as(ids: Ids | None, choose: Choose) -> Choose:
    """For another piece of a table: with codes from the same place, where the first piece has any."""
    return choose if ids is None else Coded(ids, choose)


def unit_columns(unit: str, columns: Any, select: Callable[..., list[int]]) -> Coded:
    """The unit's column first, then the columns of data: all others where ``columns`` is None."""

    def choose(names: tuple[str, ...], named: bool) -> Sequence[str | int]:
        (at,) = select(names, [int(unit) if not named and unit.isdecimal() else unit])
        wanted = columns(names, named) if callable(columns) else columns
        chosen = [i for i in range(len(names)) if i != at] if wanted is None else select(names, wanted)
        if at in chosen:
            raise DataError(
                f"column {names[at]!r} says which unit a row belongs to, and is no column of data",
                fix="leave it out of columns",
            )
        if not chosen:
            raise DataError("the table has no column besides the unit's", fix="give at least one column of data")
        return [names[i] for i in (at, *chosen)]

    return Coded(Ids(), choose)
