"""The numbers that a function compares and computes with when it is called, wherever it has them from.

What stands in its code, :mod:`~dpframe.testing.battery.sizes` finds without a call. A limit may also be made in a call:
of a date, of a letter, by another module, from a file. So the function is handed rows that write down what meets them.
"""

from __future__ import annotations

import contextlib
import copy
import functools
from collections.abc import Callable, Iterable
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from dpframe.testing.battery.sizes import MOST_IN_ARRAYS

MOST_HEARD, MOST_LISTED = 8, 64
"""Numbers of which rows are made, and those of one list that are written down."""
LEAST, LARGEST = 1e-300, 1e15


class Heard(dict[float, None]):
    """What was written down in one call, in order."""

    def take(self, things: Iterable[Any]) -> None:
        """Write down the numbers among these, and those of short lists."""
        for thing in things:
            many = thing.size if isinstance(thing, np.ndarray) else 1
            if isinstance(thing, (list, tuple)):
                self.take(thing[:MOST_LISTED])
            elif isinstance(thing, (Real, Decimal, np.ndarray)) and many <= MOST_IN_ARRAYS:
                with contextlib.suppress(TypeError, ValueError, ArithmeticError):  # of texts, or too large
                    self.update(dict.fromkeys(np.asarray(thing, dtype=np.float64).ravel().tolist()))


class Listening(np.ndarray[Any, Any]):
    """Rows that write down the numbers with which they are compared, added, divided."""

    heard: Heard

    def __array_finalize__(self, made_of: Any) -> None:
        self.heard = made_of.heard if isinstance(made_of, Listening) and hasattr(made_of, "heard") else Heard()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **keywords: Any) -> Any:
        """As an array does; the others of a function's inputs are written down."""
        if method == "__call__":
            self.heard.take(x for x in inputs if not isinstance(x, Listening))
        if out is not None:
            keywords["out"] = tuple(_plain(x) for x in out)
        return self._of(getattr(ufunc, method)(*map(_plain, inputs), **{k: _plain(v) for k, v in keywords.items()}))

    def __array_function__(self, function: Any, types: Any, inputs: Any, keywords: Any) -> Any:
        """The same for other functions of NumPy."""
        self.heard.take(x for x in (*inputs, *keywords.values()) if not isinstance(x, (Listening, bool)))
        return self._of(function(*map(_deep, inputs), **{k: _deep(v) for k, v in keywords.items()}))

    def __getitem__(self, place: Any) -> Any:
        """A row or a number of it, which listens, too."""
        return self._of(super().__getitem__(place))

    def tolist(self) -> Any:
        """Lists of numbers that listen."""
        return _listed(self.view(np.ndarray).tolist(), self.heard)

    def _of(self, made: Any) -> Any:
        if isinstance(made, np.ndarray) and made.dtype.kind == "f" and made.ndim:
            there: Any = made.view(Listening)
            there.heard = self.heard
            return there
        return _number(float(made), self.heard) if isinstance(made, (float, np.floating)) else made


class Number(float):
    """A number that writes down what it is compared with."""

    heard: Heard


def _number(value: float, heard: Heard) -> Number:
    number = Number(value)
    number.heard = heard
    return number


def _comparing(name: str) -> Any:
    plain = getattr(float, name)

    def compare(self: Number, other: Any) -> Any:
        self.heard.take([] if isinstance(other, Number) else [other])
        return plain(self, other)

    return compare


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(Number, _name, _comparing(_name))
Number.__hash__ = float.__hash__  # type: ignore[method-assign]


def _plain(thing: Any) -> Any:
    return thing.view(np.ndarray) if isinstance(thing, Listening) else thing


def _deep(thing: Any) -> Any:
    return type(thing)(map(_plain, thing)) if type(thing) in (list, tuple) else _plain(thing)


def _listed(made: Any, heard: Heard) -> Any:
    return [_listed(x, heard) for x in made] if isinstance(made, list) else _number(made, heard)


def compared(function: Callable[..., Any], tables: Iterable[Any], known: Iterable[float] = ()) -> list[float]:
    """Numbers with which the rows of every one of these tables meet in a call, but for those that are known.

    What changes from table to table was made of rows.

    Examples
    --------
    >>> import datetime
    >>> def late(rows):
    ...     return rows > datetime.date(2002, 1, 1).toordinal()
    >>> compared(late, [np.zeros((2, 1)), np.ones((2, 1))])
    [730851.0]
    """
    every: list[Heard] = []
    for table in tables:
        rows: Any = np.array(table, dtype=np.float64).view(Listening)
        rows.heard = Heard()
        with (
            contextlib.suppress(Exception, SystemExit),
            np.errstate(all="ignore"),
        ):  # what it met before it raised counts
            function(rows)
        every.append(rows.heard)
    shared = functools.reduce(lambda one, other: [x for x in one if x in other], every[1:], [*every[0]])
    sizes = {len(table) for table in tables}
    skip = {*known, *(-x for x in known), *sizes}
    return [x for x in shared if LEAST < abs(x) < LARGEST and (abs(x) >= 2 or x != int(x)) and x not in skip][
        :MOST_HEARD
    ]


def rows_of(numbers: Iterable[float], plain: Any) -> Any:
    """Rows in which each of these numbers stands: in the first column, in the last one, in all; and rows without one.

    Examples
    --------
    >>> rows_of([7.0], np.zeros((1, 2))).tolist()
    [[7.0, 0.0], [0.0, 7.0], [7.0, 7.0], [0.0, 0.0]]
    """
    made = []
    for i, x in enumerate([*numbers][:MOST_HEARD]):
        base = plain[i % len(plain)]
        first, last = base.copy(), base.copy()
        first[0], last[-1] = x, x
        made += [first, last, np.full_like(base, x)]
    return np.array([*dict.fromkeys(tuple(row.tolist()) for row in [*made, *plain[:6]])])


def rows_for(function: Callable[..., Any], params: tuple[Any, ...], own: Iterable[float], plain: Any) -> Any:
    """Rows of the numbers that plain ones meet in a call, and of the first few of the code's own; none without any."""
    told = compared(lambda rows: function(rows, *copy.deepcopy(params)), (plain[:7], 1.5 * plain[7:14]), own)
    numbers = [*told, *own][:MOST_HEARD]
    return rows_of(numbers, plain) if numbers else ()
