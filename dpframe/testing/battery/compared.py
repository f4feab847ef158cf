"""The numbers that a function compares and computes with when it is called, wherever it has them from.

What stands in its code, :mod:`~dpframe.testing.battery.sizes` finds without a call. A limit may also be made in a call:
of a date, of a letter, by another module, from a file. So the function is handed rows that write down what meets them.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import gc
import itertools
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from dpframe.testing.battery import sizes
from dpframe.testing.battery.sizes import MOST_IN_ARRAYS

MOST_HEARD, MOST_LISTED = 8, 64
"""Numbers of which rows are made, and those of one list that are written down."""
NAMED_IN, ENDS_OF = 2, 3
"""Calls whose names are looked through for sets: that in which a number is looked for, and its caller.

And numbers of what is long: one will do, as whatever is in it is treated alike.
"""
LEAST, LARGEST = 1e-300, 1e15


class Heard(dict[float, None]):
    """What was written down in one call, in order."""

    looked = False

    def take(self, things: Iterable[Any]) -> None:
        """Write down the numbers among these, and those of short lists and of sets."""
        for thing in things:
            many = thing.size if isinstance(thing, np.ndarray) else 1
            if isinstance(thing, (list, tuple, set, frozenset, dict)):
                self.take([*itertools.islice(thing, MOST_LISTED)])
            elif isinstance(thing, (Real, Decimal, np.ndarray)) and many <= MOST_IN_ARRAYS:
                with contextlib.suppress(TypeError, ValueError, ArithmeticError):  # of texts, or too large
                    self.update(dict.fromkeys(np.asarray(thing, dtype=np.float64).ravel().tolist()))

    def look(self, frame: types.FrameType | None) -> None:
        """Write down the numbers of sets and dictionaries in which a number may be looked for right now, once a call.

        Which of them it is nobody tells: those that the code at work has a name for, and those that were made last.
        """
        if self.looked:
            return
        self.looked = True
        for _ in range(NAMED_IN):
            held = [] if frame is None else [*frame.f_locals.values()]
            self.take(x for x in held if isinstance(x, (set, frozenset, dict)))
            frame = None if frame is None else frame.f_back
        self.take(x for x in gc.get_objects(generation=0)[::-1] if isinstance(x, (set, frozenset)))

    def made(self, files: frozenset[str]) -> contextlib.AbstractContextManager[None]:
        """Write down what functions in these files return and have names for, and the ends of what is long."""
        return _watched(self, files)


@contextlib.contextmanager
def _watched(heard: Heard, files: frozenset[str]) -> Iterator[None]:
    def watch(frame: types.FrameType, event: str, result: Any) -> None:
        if event == "return" and frame.f_code.co_filename in files:
            for thing in [result, *frame.f_locals.values()][:MOST_LISTED]:
                many = isinstance(thing, (list, tuple, set, frozenset, dict))
                if not isinstance(thing, (Listening, Number, Whole)):
                    heard.take(itertools.islice(thing, ENDS_OF) if many else [thing])

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield
    finally:
        sys.setprofile(before)


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
        if isinstance(made, np.ndarray) and made.dtype.kind in "fiu" and made.ndim:
            there: Any = made.view(Listening)
            there.heard = self.heard
            return there
        return _number(made.item(), self.heard) if isinstance(made, (np.floating, np.integer)) else made


class Number(float):
    """A number that writes down what it is compared with, and what it is looked for in."""

    heard: Heard


class Whole(int):
    """A whole number that does."""

    heard: Heard


def _number(value: Any, heard: Heard) -> Any:
    if type(value) not in (int, float):
        return value
    number: Any = Number(value) if isinstance(value, float) else Whole(value)
    number.heard = heard
    return number


def _comparing(name: str, base: type[Any]) -> Any:
    plain = getattr(base, name)

    def compare(self: Any, other: Any) -> Any:
        self.heard.take([] if isinstance(other, (Number, Whole)) else [other])
        return plain(self, other)

    return compare


def _hashing(base: Any) -> Any:
    def hashed(self: Any) -> int:
        """What a set or a dictionary asks first; the numbers in it are asked only if theirs is the same."""
        self.heard.look(sys._getframe(1))
        return int(base.__hash__(self))

    return hashed


for _class, _base in ((Number, float), (Whole, int)):
    for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
        setattr(_class, _name, _comparing(_name, _base))
    _class.__hash__ = _hashing(_base)  # type: ignore[method-assign]


def _plain(thing: Any) -> Any:
    return thing.view(np.ndarray) if isinstance(thing, Listening) else thing


def _deep(thing: Any) -> Any:
    return type(thing)(map(_plain, thing)) if type(thing) in (list, tuple) else _plain(thing)


def _listed(made: Any, heard: Heard) -> Any:
    return [_listed(x, heard) for x in made] if isinstance(made, list) else _number(made, heard)


def compared(function: Callable[..., Any], tables: Sequence[Any], known: Iterable[float] = ()) -> list[float]:
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
    files = sizes.files(function)
    for table in tables:
        rows: Any = np.array(table, dtype=np.float64).view(Listening)
        rows.heard, made = Heard(), Heard()
        with (
            contextlib.suppress(Exception, SystemExit),
            np.errstate(all="ignore"),
            made.made(files),
        ):  # what it met before it raised counts
            function(rows)
        rows.heard.update(made)
        every.append(rows.heard)
    return _shared(every, tables, known)


def made(
    function: Callable[[Any], Any], given: Iterable[Any], known: Iterable[float] = (), *, of: Any = None
) -> list[float]:
    """The same of what it, or ``of`` that it calls, makes on its way, whatever it is given.

    Examples
    --------
    >>> made(lambda value: value in {k * k + 0.5 for k in range(40, 60)}, [1, 2])[:1] != []
    True
    """
    every, files, values = list[Heard](), sizes.files(of or function), [*given]
    for value in values:
        every.append(Heard())
        with contextlib.suppress(Exception, SystemExit), np.errstate(all="ignore"), every[-1].made(files):
            function(value)
    return _shared(every, (), known)


def _shared(every: list[Heard], tables: Iterable[Any], known: Iterable[float]) -> list[float]:
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
