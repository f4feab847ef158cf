"""Which columns of a table are read, and what a column must be to be read as numbers: names and types are looked at."""

from __future__ import annotations

import contextlib
import itertools
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError
from dpframe.hints import absent, choosing
from dpframe.proof.spaces.checks import scalar

Columns: TypeAlias = Sequence[str | int] | Callable[[tuple[str, ...], bool], Sequence[str | int] | None] | None
NUMBER_KINDS = frozenset("iufb")  # true and false are 1 and 0


def select(names: Sequence[str], columns: Sequence[str | int] | None) -> list[int]:
    """Positions of the chosen columns, or `DataError` naming the nearest known one."""
    if not names:
        raise DataError("the table has no columns", fix="give at least one column")
    check_once(names, "the table")
    places = {name: i for i, name in enumerate(names)}
    if columns is None:
        return list(range(len(names)))
    if isinstance(columns, str) or not isinstance(columns, Iterable):
        raise DataError(f"columns must be a list of names, not {columns!r}", fix=f"give [{columns!r}]")
    chosen = [_position(places, column) for column in columns]
    if not chosen or len(set(chosen)) < len(chosen):
        raise DataError("columns must name at least one column, and each once", fix="name each column once")
    return chosen


def check_once(names: Sequence[str], what: str) -> None:
    """Refuse two columns of one name."""
    places = {name: i for i, name in enumerate(names)}
    if len(places) < len(names):
        twice = next(name for i, name in enumerate(names) if places[name] != i)
        raise DataError(f"{what} has two columns named {twice!r}", fix="rename one of them")


def _position(places: Mapping[str, int], column: str | int) -> int:
    column = scalar(column)
    name = str(column)
    if name in places:
        return places[name]
    if isinstance(column, int) and not isinstance(column, bool) and 0 <= column < len(places):
        return column
    raise DataError(f"there is no column {name!r}", fix=absent(name, [*places]))


def filled(block: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A masked array as numbers, NaN where it is masked; any other as it is."""
    if not np.ma.isMA(block):
        return block
    return np.where(np.ma.getmaskarray(block), np.nan, as_floats(np.ma.getdata(block)))


def as_floats(values: npt.NDArray[Any], *, copy: bool = False) -> npt.NDArray[np.float64]:
    """An array's numbers as float64, in C order; in silence, since what NumPy warns of in a cast tells of a cell."""
    with np.errstate(all="ignore"):
        return values.astype(np.float64, order="C", subok=False, copy=copy)


def number_of(cell: Any) -> float:
    """A cell that has a type of its own, in a list or a text, as a number; NaN, which is missing, for any other.

    Examples
    --------
    >>> [number_of(cell) for cell in (1, "2.5", True, 10**400, None, "two")]
    [1.0, 2.5, 1.0, nan, nan, nan]
    """
    try:
        # As its bytes: a text of a CSV file comes as either, and only of a str digits of other scripts are numbers.
        return float(str.encode(cell, errors="surrogateescape") if isinstance(cell, str) else cell)
    except Exception:  # noqa: BLE001  no number, one that no float holds, or an object that raises what it likes
        return math.nan


def numbers_of(rows: Sequence[Any]) -> npt.NDArray[np.float64]:
    """A list of numbers, or of equally long rows of them, as float64: whether a cell is one is told of its row alone.

    Raises
    ------
    TypeError, ValueError
        For rows of other lengths.
    """
    with contextlib.suppress(OverflowError):  # of a whole number that no float holds
        array = np.asarray(rows)
        if array.dtype.kind in NUMBER_KINDS:
            return as_floats(array)
    cells = np.array(rows, dtype=object)
    if any(isinstance(cell, list | tuple | np.ndarray) for cell in cells.flat):
        raise TypeError
    return np.array([number_of(cell) for cell in cells.flat], dtype=np.float64).reshape(cells.shape)


def type_name(dtype: np.dtype[Any]) -> str:
    """A type without its width, which of texts tells the longest cell's.

    Examples
    --------
    >>> type_name(np.dtype("<U7")), type_name(np.dtype("float64"))
    ('str', 'float64')
    """
    return dtype.type.__name__.rstrip("_")


def not_numbers(what: str, dtype: np.dtype[Any]) -> DataError:
    """The error of values that are no real numbers."""
    fix = "select or convert to integer or float columns"
    if dtype.kind == "O":
        fix += "; numpy.asarray(data, dtype=float) makes floats of Decimal, and of None float('nan'), which is missing"
    return DataError(f"{what} (dtype {type_name(dtype)}) does not hold numbers", fix=fix)


def check_numbers(
    names: Sequence[str], positions: Sequence[int], types: Sequence[Any], numbers: Sequence[bool]
) -> None:
    """Refuse selected columns that the table's schema types as anything but numbers, naming all of them.

    Only types are looked at: a column of numbers may be all missing.

    Raises
    ------
    DataError
        With the columns that can be chosen.
    """
    wrong = [f"{names[j]!r} ({_kind(types[j])})" for j in positions if not numbers[j]]
    if wrong:
        able = [names[j] for j in positions if numbers[j]] or list(itertools.compress(names, numbers))
        word = "column" if len(wrong) == 1 else "columns"
        raise DataError(f"{word} {', '.join(wrong)}: by the table's schema these are no numbers", fix=choosing(able))


def _kind(what: Any) -> str:
    """A type's name alone: what stands in brackets may be values, as the categories of an Enum of Polars are."""
    return re.split(r"[\[({]", str(what), maxsplit=1)[0][:60]
