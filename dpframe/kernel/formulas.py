"""Formulas of rows, written as functions: what a function does with a row that is not there is kept as data.

The function is called once, when a program is written, with a :class:`Row` whose columns are :class:`Expression` and
with a :class:`Released` for each released input. It uses Python's arithmetic and comparisons and NumPy's functions of
numbers; what it returns is kept as steps (:mod:`dpframe.proof.theorems.shaping.expressions`). No code of it is ever run
on rows.
"""

from __future__ import annotations

import inspect
import json
import operator
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dpframe.errors import DpframeError, SpecError
from dpframe.proof.spaces import finite_number
from dpframe.proof.spaces.checks import plain, scalar

UFUNCS: Mapping[str, str] = {
    **{name: name for name in ("add", "subtract", "multiply", "negative", "absolute", "sqrt", "exp", "log", "floor")},
    **{name: name for name in ("minimum", "maximum", "less", "less_equal", "equal", "divide")},
    "true_divide": "divide",
}
"""NumPy's functions by the step they become."""
MOST_POWER = 64
KNOWN = "+ - * / abs **, comparisons & | ~, np.sqrt, exp, log, floor, minimum, maximum, clip, square and where"


def formula_text(made: Any) -> str:
    """A formula as text: as it is, or what a function of a row (and released values) does.

    Examples
    --------
    >>> formula_text(lambda row: row[0] * 2.0)
    '{"gives": [2], "steps": [["column", 0], ["number", 2.0], ["multiply", 0, 1]]}'
    """
    if isinstance(made, Mapping):
        return json.dumps(plain_of(made), sort_keys=True)
    return write(made) if callable(made) else made


def plain_of(made: Any) -> Any:
    """A formula of a spec, in Python's own values."""
    if isinstance(made, Mapping):
        return {str(key): plain_of(value) for key, value in made.items()}
    return [plain_of(value) for value in made] if isinstance(made, (list, tuple)) else scalar(made)


def write(function: Callable[..., Any], **keywords: Any) -> str:
    """What a function of a row and of released values does, as a formula.

    Raises
    ------
    SpecError
        Where it does what a formula can't: names what, and what it can.
    """
    sheet, named = Sheet(), getattr(function, "__name__", "the formula")
    taken = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    if not taken or any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in taken):
        raise SpecError(f"{named!r} names no row", fix="def formula(row, *released by name*): return [row[0]]")
    try:
        made = function(Row(sheet), *(Released(sheet, i) for i in range(len(taken) - 1)), **keywords)
        given = [made] if isinstance(made, Expression) else list(np.ravel(np.array(made, dtype=object)))
        return sheet.text([sheet.of(entry) for entry in given])
    except DpframeError:
        raise
    except Exception as error:  # noqa: BLE001  no row was read: what it raised is the reason
        raise SpecError(
            f"{named!r} is no formula of a row: {type(error).__name__}: {error}", fix=f"use {KNOWN}"
        ) from None


class Sheet:
    """The steps that are written so far, each once."""

    def __init__(self) -> None:
        self.steps: dict[tuple[Any, ...], int] = {}

    def put(self, *step: Any) -> Expression:
        """A step, new or known."""
        return Expression(self, self.steps.setdefault(step, len(self.steps)))

    def of(self, value: Any) -> Expression:
        """An expression of this sheet, or a number as one."""
        if isinstance(value, Expression) and value.sheet is self:
            return value
        number = float(value) if isinstance(value, (bool, np.bool_)) else plain(value)
        if not finite_number(number):
            raise SpecError(
                f"a formula has no place for {value!r}", fix="give finite numbers, columns and released ones"
            )
        return self.put("number", float(number) + 0.0)

    def call(self, name: str, *values: Any) -> Any:
        """A function of earlier steps; of arrays of them, one each."""
        if any(isinstance(value, np.ndarray) and value.ndim for value in values):
            held = [value if isinstance(value, np.ndarray) else _held(value) for value in values]
            wide = np.broadcast_arrays(*held)
            made = np.empty(wide[0].shape, dtype=object)
            for at in np.ndindex(*made.shape):
                made[at] = self.call(name, *(array[at] for array in wide))
            return made
        return self.put(name, *(self.of(value).place for value in values))

    def text(self, gives: Sequence[Expression]) -> str:
        """The steps that these need, as a formula's text."""
        steps, needed, new = list(self.steps), {e.place for e in gives}, {}
        for place in range(len(steps) - 1, -1, -1):
            if place in needed and steps[place][0] not in ("column", "number", "released"):
                needed.update(steps[place][1:])
        kept: list[list[Any]] = []
        for place in sorted(needed):
            name, *rest = steps[place]
            new[place] = len(kept)
            kept.append([name, *rest] if name in ("column", "number", "released") else [name, *(new[i] for i in rest)])
        return json.dumps({"gives": [new[e.place] for e in gives], "steps": kept}, sort_keys=True)


def _held(value: Any) -> Any:
    """One value in a 0-dimensional array of objects, which NumPy does not take apart."""
    held = np.empty((), dtype=object)
    held[()] = value
    return held


class Row:
    """A row that is not there: ``row[j]`` is its j-th column, ``row.dot(weights)`` a weighted sum of its first ones."""

    __slots__ = ("_sheet",)

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    def __getitem__(self, column: int) -> Expression:
        if type(column) is not int or column < 0:
            raise SpecError(f"a row has columns 0, 1, ..., not {column!r}", fix="row[0]")
        return self._sheet.put("column", column)

    def dot(self, weights: Sequence[Any]) -> Any:
        """Σ_j row[j]·weights[j], in that order."""
        return sum((self[j] * weight for j, weight in enumerate(weights)), start=0.0)

    def __iter__(self) -> Any:
        raise SpecError("how wide a row is, its formula is not told", fix="name columns: row[0], row[1]")


class Released:
    """A released value that is not there yet: ``value[j]`` or ``value[i, j]`` is one of its numbers."""

    __slots__ = ("_at", "_sheet")

    def __init__(self, sheet: Sheet, at: int) -> None:
        self._sheet, self._at = sheet, at

    def __getitem__(self, entry: int | tuple[int, ...]) -> Expression:
        entries = entry if isinstance(entry, tuple) else (entry,)
        if not all(type(i) is int and i >= 0 for i in entries):
            raise SpecError(f"a released value is indexed from 0 in each axis, not by {entry!r}", fix="value[0]")
        return self._sheet.put("released", self._at, *entries)

    def __iter__(self) -> Any:
        raise SpecError("how long a released value is, a formula is not told", fix="name entries: value[0], value[1]")


class Expression:
    """A number of a row, to come."""

    __slots__ = ("place", "sheet")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, sheet: Sheet, place: int) -> None:
        self.sheet, self.place = sheet, place

    def __bool__(self) -> bool:
        raise SpecError("for which rows a comparison holds, its formula is not told", fix="np.where(row[0] > 1, a, b)")

    def __float__(self) -> float:
        raise SpecError("a row has no numbers where its formula is written", fix=f"use {KNOWN}")

    def __add__(self, other: Any) -> Any:
        return self.sheet.call("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return self.sheet.call("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return self.sheet.call("subtract", self, other)

    def __rsub__(self, other: Any) -> Any:
        return self.sheet.call("subtract", other, self)

    def __mul__(self, other: Any) -> Any:
        return self.sheet.call("multiply", self, other)

    def __rmul__(self, other: Any) -> Any:
        return self.sheet.call("multiply", other, self)

    def __truediv__(self, other: Any) -> Any:
        return self.sheet.call("divide", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self.sheet.call("divide", other, self)

    def __neg__(self) -> Any:
        return self.sheet.call("negative", self)

    def __abs__(self) -> Any:
        return self.sheet.call("absolute", self)

    def __lt__(self, other: Any) -> Any:
        return self.sheet.call("less", self, other)

    def __le__(self, other: Any) -> Any:
        return self.sheet.call("less_equal", self, other)

    def __gt__(self, other: Any) -> Any:
        return self.sheet.call("less", other, self)

    def __ge__(self, other: Any) -> Any:
        return self.sheet.call("less_equal", other, self)

    def __eq__(self, other: object) -> Any:
        return self.sheet.call("equal", self, other)

    def __ne__(self, other: object) -> Any:
        return 1.0 - self.sheet.call("equal", self, other)

    def __and__(self, other: Any) -> Any:
        return self.sheet.call("minimum", self, other)

    def __or__(self, other: Any) -> Any:
        return self.sheet.call("maximum", self, other)

    def __invert__(self) -> Any:
        return self.sheet.call("equal", self, 0.0)

    def __pow__(self, power: Any) -> Any:
        if power == 0.5:
            return self.sheet.call("sqrt", self)
        if type(power) is not int or not abs(power) <= MOST_POWER:
            raise SpecError(
                f"a formula has whole powers up to {MOST_POWER}, not {power!r}", fix="np.exp(power * np.log(x))"
            )
        made: Any = self.sheet.of(1.0)
        for _ in range(abs(power)):
            made = made * self
        return 1.0 / made if power < 0 else made

    def __array_ufunc__(self, ufunc: Any, method: str, *values: Any, **keywords: Any) -> Any:
        name = str(ufunc.__name__)
        if method == "__call__" and not keywords:
            if name in UFUNCS:
                return self.sheet.call(UFUNCS[name], *values)
            if name in COMPOSED:
                first = values[0] if isinstance(values[0], np.ndarray) and values[0].ndim else self.sheet.of(values[0])
                return COMPOSED[name](first, *values[1:])
        raise SpecError(f"a formula of rows has no np.{name} as it is called", fix=f"use {KNOWN}")

    def __array_function__(self, function: Any, types: Any, values: Any, keywords: Any) -> Any:
        if function is np.where and len(values) == 3 and not keywords:
            return self.sheet.call("where", *values)
        if function is np.clip and len(values) == 3 and not keywords:
            return self.sheet.call("minimum", self.sheet.call("maximum", values[0], values[1]), values[2])
        raise SpecError(f"a formula of rows has no np.{function.__name__} as it is called", fix=f"use {KNOWN}")


COMPOSED: Mapping[str, Callable[..., Any]] = {
    "square": lambda a: a * a,
    "isnan": lambda a: operator.ne(a, a),
    "isfinite": lambda a: abs(a) <= sys.float_info.max,
    "power": operator.pow,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "not_equal": operator.ne,
    **dict.fromkeys(("bitwise_and", "logical_and"), operator.and_),
    **dict.fromkeys(("bitwise_or", "logical_or"), operator.or_),
    **dict.fromkeys(("invert", "logical_not"), operator.invert),
}
"""NumPy's functions that are several steps."""
