"""Sizes worth trying: round ones up to a real chunk, and both sides of every whole number in a function's own code."""

from __future__ import annotations

import contextlib
import copy
import functools
import math
import numbers as numbers_of
import types
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from dpframe.runtime.views import chunk_rows
from dpframe.testing.battery.endless import Calls, TooLong
from dpframe.testing.battery.reporting import plain

Generator = np.random.Generator
PACKAGE = str(Path(__file__).parents[2])
MOST_COLUMNS, MOST_OWN_COLUMNS, MOST_WIDE = 64, 1000, 4
"""Of all functions, and of those in whose code such a number stands: so many of these."""
COLUMNS = (*(2, 1, 3, 8, 64, 5, 4, 16, 6, 7, 10, 33, 32, 12, 9, 20, 63, 24, 17, 31), *range(11, 65))
"""Columns in the order in which they are tried."""
MOST_CONSTANTS, MOST_IN_ARRAYS, LONGEST_NUMBER = 60, 20, 24
"""Numbers that are looked at, those of an array, and characters of a text that is one."""
CACHED: type[Any] = type(functools.lru_cache(int))
TURNS = (2**24 + 1, 2**31 - 1, 2**53 + 1)
"""Where single precision, 32 bits and double precision lose whole numbers."""
ENDS = (
    *(88.0, 89.5, 700.0, 709.5, 710.5, 744.0, 746.5),  # of exp, in single precision and in double
    *(127.0, 128.0, 255.0, 256.0, 32767.0, 32768.0, 65504.0, 65536.0, 2.0**24 + 1, 2.0**31, 2.0**53 + 2, 2.0**63),
    *(1.8e19, 3.3e38, 3.5e38, 5e102, 6e102, 1.3e154, 1.4e154, 1.7e308),  # of squares and cubes
    *(1e-38, 1e-46, 1e-154, 1e-162, 3e-308),
)
"""On both sides of where a type of number, or a common function of one, ends: one row there can change a batch."""
POOL = 24
_CALLS = Calls()
"""In each fork anew."""
MOST_SHOWN = 60
"""Numbers of rows that are shown."""
MANY, MOST_BESIDE, MOST_FALLING = 40, 5000, 300
"""Rows of batches that are zeros but for few of them."""


def constants(function: Any) -> list[float]:
    """The numbers in a function's code, in that of what it calls in its own module, and in what those refer to.

    Examples
    --------
    >>> constants(lambda rows: rows if len(rows) > 4096 else rows / 2**16)
    [4096.0, 65536.0]
    """
    return sorted({abs(x) for x in numbers(function) if abs(x) >= 2})


def numbers(function: Any, most: float = 1e15) -> list[float]:
    """The same with their signs, below ``most``, and those nearer to 0 than 2 that are not whole.

    Defaults, dictionaries, classes, short arrays and texts that are numbers count, too.

    Examples
    --------
    >>> numbers(lambda rows: rows / 100 if rows.max() > 1.5 else rows * -999.0)
    [-999.0, 1.5, 100.0]
    """
    found: dict[float, None] = {}
    for thing in _things(function):
        if isinstance(thing, (numbers_of.Real, Decimal)):
            with contextlib.suppress(ArithmeticError):
                x = float(thing)
                found.update({x: None} if 1e-300 < abs(x) < most and (abs(x) >= 2 or x != int(x)) else {})
    return sorted(found)[:MOST_CONSTANTS]


def texts(function: Any) -> list[str]:
    """The texts in a function's code, found in the same way.

    Examples
    --------
    >>> texts(lambda rows: "314159")
    ['314159']
    """
    return [thing for thing in _things(function) if isinstance(thing, str)]


def files(function: Any) -> frozenset[str]:
    """The files in which its code stands, but for the kit's own."""
    every = {thing.co_filename for thing in _things(function) if isinstance(thing, types.CodeType)}
    return frozenset(name for name in every if not name.startswith(PACKAGE))


def _things(function: Any) -> Iterator[Any]:
    """What is in a function's code and in what that refers to: numbers, texts and others."""
    seen: set[int] = set()
    homes: set[str] = set()
    todo = [function]
    while todo and len(seen) < 200:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if isinstance(thing, (types.FunctionType, types.MethodType)):
            function = thing.__func__ if isinstance(thing, types.MethodType) else thing
            home = function.__globals__
            homes.add(function.__module__)
            names = _names(function.__code__)
            near = [home[n] for n in names if n in home]
            todo += [x for x in near if getattr(_plain(x), "__globals__", home) is home]
            todo += [function.__code__, *(function.__defaults__ or ()), function.__kwdefaults__, *cells_of(function)]
        else:
            yield thing
            todo += [] if isinstance(thing, (numbers_of.Real, Decimal)) else _within(thing, homes)


def _within(thing: Any, homes: set[str]) -> list[Any]:
    """What else a thing refers to: parts of code and of what holds values, attributes of what its module made."""
    if isinstance(thing, types.CodeType):
        return list(thing.co_consts)
    if isinstance(thing, (tuple, list, frozenset, set)):
        return list(thing)[:50]
    if isinstance(thing, (dict, types.SimpleNamespace)):
        return list((thing if isinstance(thing, dict) else vars(thing)).values())[:50]
    if isinstance(thing, np.ndarray):
        return thing.ravel().tolist() if thing.size <= MOST_IN_ARRAYS else []
    if isinstance(thing, (str, bytes)):
        return _told(thing)
    if isinstance(thing, (functools.partial, CACHED)):
        return [thing.__wrapped__] if isinstance(thing, CACHED) else [thing.func, thing.args, thing.keywords]
    if isinstance(thing, type):
        return [*vars(thing).values()] if thing.__module__ in homes else []
    known = type(thing).__module__ in homes and hasattr(thing, "__dict__")
    return [*vars(thing).values(), *vars(type(thing)).values()] if known else []


def _plain(thing: Any) -> Any:
    """A function without its cache, and what is none as it is."""
    thing = thing.__wrapped__ if isinstance(thing, CACHED) else thing
    return thing if isinstance(thing, types.FunctionType) else None


def _told(text: str | bytes) -> list[Any]:
    """The number that a text is, if it is one."""
    try:
        return [float(text)] if len(text) <= LONGEST_NUMBER else []
    except ValueError:
        return []


def cells_of(function: types.FunctionType) -> list[Any]:
    """What a function holds of the places where it was made."""
    found = []
    for cell in function.__closure__ or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:
            continue
    return found


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _names(inner)


def around(numbers: Iterable[float], most: int, least: int = 1) -> list[int]:
    """Both sides of each number that is a size."""
    near = [math.floor(x) + step for x in numbers for step in (0, 1, -1)]
    return [*dict.fromkeys(m for m in near if least <= m <= most)]


def columns(function: Any, *, wide: bool = False) -> list[int]:
    """Numbers of columns, those in the function's code among the first; beyond those of all functions if ``wide``.

    Examples
    --------
    >>> columns(lambda rows: rows if rows.shape[1] > 100 else -rows, wide=True)[:7]
    [2, 1, 3, 8, 64, 101, 100]
    """
    known = constants(function)
    own = around([*known, *(math.sqrt(c) for c in known if c <= MOST_COLUMNS**2)], MOST_COLUMNS)
    more = [int(c) + step for c in known if wide and MOST_COLUMNS <= c < MOST_OWN_COLUMNS for step in (1, 0)]
    return [*dict.fromkeys([*COLUMNS[:5], *more[:MOST_WIDE], *own, *COLUMNS])]


def row_counts(function: Any, d: int) -> list[int]:
    """Numbers of rows up to those of a chunk: its own numbers first, the whole chunk, then a ladder from both ends."""
    chunk = chunk_rows(d)
    powers = around([2.0**e for e in range(1, 18)], chunk)
    tens = around([a * 10.0**e for e in range(1, 6) for a in (1, 2, 5)], chunk)
    own = around([c / k for c in constants(function) for k in (1, d)], chunk)
    coarse = [m for m in (2, 7, 33, 100, 300, 1000, 5000, 20_000, 70_000) if m <= chunk]
    return [*dict.fromkeys([*own, 1, chunk, *coarse, *powers, *tens])]


def wider(case: Any, functions: Iterable[Any]) -> list[Any]:
    """The case on domains of more columns or entries, where its operation takes them."""
    from dpframe.testing.battery.case import Case, accepted

    if case.values is not None:
        return []
    old = {n for domain in case.domains for n in _whole(domain).values()}
    own = [m for function in functions for m in around(constants(function), MOST_COLUMNS, 4)]
    found = []
    for new in dict.fromkeys([8, 33, 64, *own[:9]]):
        for base in sorted(old):
            domains = tuple(_resized(domain, base, new) for domain in case.domains)
            if domains != case.domains and accepted(case.operation, domains, running=False):
                found.append(Case(case.operation, domains))
                break
    return found


def _whole(domain: Any) -> dict[str, int]:
    """The sizes in a domain's fields."""
    fields = {a.name: getattr(domain, a.name) for a in attrs.fields(type(domain))}
    return {name: x for name, x in fields.items() if name in ("d", "m") and type(x) is int}


def _resized(domain: Any, base: int, new: int) -> Any:
    try:
        return attrs.evolve(domain, **{name: new + x - base for name, x in _whole(domain).items()})
    except (TypeError, ValueError, ArithmeticError):
        return domain


def tables(d: int, rng: Generator, own: Iterable[float] = ()) -> list[tuple[str, Any]]:
    """Pools of distinct rows by name, of which batches are made: what one function refuses, another needs.

    ``own`` are numbers in the function's code: its rows hold them, and what lies near them on both sides.
    """
    plain = np.round(rng.standard_normal((POOL, d)) * 4) / 2
    fine = rng.standard_normal((POOL, d)) * 3
    far = plain.copy()
    far[: POOL // 2] *= 10.0 ** rng.integers(-9, 10, (POOL // 2, 1))
    far[0], far[1] = 0.0, 1e300
    positive = np.abs(fine) + 0.25
    shares = rng.dirichlet(np.ones(d), POOL) if d > 1 else rng.random((POOL, 1))
    whole = rng.integers(0, 5, (POOL, d)).astype(np.float64)
    tiny = plain.copy()
    tiny[::3] *= 1e-310
    short = rng.integers(-(2**20), 2**20, (POOL, d)) * 2.0**-20
    short[::2] *= 1 + 2.0**-40
    zeros = np.where(rng.random((POOL, d)) < 0.7, 0.0, plain)
    zeros = np.where(rng.random((POOL, d)) < 0.5, zeros, -zeros)
    zeros[0] = -0.0
    known = [x for c in own for x in (c, -c, c * 1.25, c * 0.75)]
    near = plain.copy()
    if known:
        at = rng.random((POOL, d)) < 0.3
        near[at] = rng.choice(known, int(at.sum()))
    ends = plain.copy()
    at = rng.random((POOL, d)) < 0.5
    ends[at] = rng.choice(ENDS, int(at.sum())) * rng.choice((-1.0, 1.0), int(at.sum()))
    return [
        *([("numbers in its code", near)] if known else []),
        ("mixed", plain),
        ("ordinary", fine),
        ("positive", positive),
        ("shares", shares),
        ("whole", whole),
        ("bits", (whole > 1).astype(np.float64)),
        ("far", far),
        ("large", positive * 1000.0),
        ("tiny", tiny),
        ("where numbers end", ends),
        ("some of few digits", short),
        ("zeros of both signs", zeros),
        ("headers, dates, codes", _written(d)),
    ]


def _written(d: int) -> Any:
    """Rows as tables hold them beside measurements: headers that count, marks, dates, times, codes, all but unit rows.

    No two of them are of one kind, so that a batch is of no kind throughout, but where a row stands alone.
    """
    at, one, step = np.arange(d, dtype=np.float64), np.ones(d), 1 + 2.0**-30
    first, turn = np.eye(d)[0], np.resize([1.0, -1.0], d)
    rows = [at, one, 20240115 + at, first, turn, step / math.sqrt(d) * one, step / d * one, at + 1, at[::-1] + 2]
    rows += [2.0**at, 1999 + at, 1.7e9 + 86400 * at, 99 * one, -one, 0.5 * one, 100 * first, 3.25 * turn, 7 - at]
    rows += [19870330 + 100 * at, 65535 * one, 10000 + 7 * at]
    return np.array([*dict.fromkeys(tuple(row.tolist()) for row in rows)])


@attrs.frozen
class Arrangement:
    """A batch of m rows and the row of the pool at each place, −1 for another row."""

    words: str
    values: Any
    places: Any


def arrangements(pool: Any, m: int, rng: Generator) -> Iterator[Arrangement]:
    """Batches of m rows: the pool's many times over, equal but for one, few beside zeros, different, sorted, summed."""
    size = len(pool)
    mixed = rng.integers(size, size=m)
    yield Arrangement("among many equal rows", pool[mixed], mixed)
    first = np.zeros(m, dtype=np.int64)
    first[-1] = size - 1
    yield Arrangement("among equal rows but one", pool[first], first)
    if MANY <= m <= MOST_BESIDE:
        few = np.where(rng.random(m) < 2 / MANY, mixed, -1)
        few[-1] = mixed[-1]
        yield Arrangement("among rows of zeros", np.where(few[:, None] < 0, 0.0, pool[few]), few)
    if m > 1:
        share = rng.integers(size, size=m)
        others = rng.random(m) < 0.8
        rows = pool[share]
        grow = 1 + rng.integers(1, 1000, (m, 1)) / (1.0 if (pool == np.round(pool)).all() else 999.0)
        rows = np.where(others[:, None], rows * grow, rows)
        yield Arrangement("among other rows", rows, np.where(others, -1, share))
        ranked = np.sort(mixed)
        yield Arrangement("in a sorted batch", pool[ranked], ranked)
        if m <= MOST_FALLING:
            yield _falling(pool, m)
        totals = np.where(np.arange(m) == m - 1, -1, mixed)
        sums = pool[totals[:-1]].sum(axis=0)
        if m <= MANY and np.isfinite(sums).all():
            yield Arrangement("above their total", np.vstack([pool[totals[:-1]], sums]), totals)


def _falling(pool: Any, m: int) -> Arrangement:
    """No first cell twice, from the largest to the smallest: rows of the pool, others between the first two of them."""
    _, places = np.unique(pool[:, 0], return_index=True)
    places = places[::-1][:m]
    more = m - len(places)
    rows = pool[places]
    if more and len(rows) > 1:
        share = np.linspace(0, 1, more + 2)[1:-1, None]
        between = rows[0] * (1 - share) + rows[1] * share
        rows, places = np.vstack([rows[:1], between, rows[1:]]), np.insert(places, 1, np.full(more, -1))
    return Arrangement("in a batch that falls", rows, places)


def rising(pool: Any) -> Iterator[Arrangement]:
    """Its rows by their first cell, none of which is there twice: what looks for a place by halves takes such."""
    _, places = np.unique(pool[:, 0], return_index=True)
    if len(places) > 2:
        yield Arrangement("in a batch that rises", pool[places], places)


def _shown(values: Any, params: tuple[Any, ...]) -> Callable[[], dict[str, Any]] | None:
    """What is told of a call that does not return: little of many rows."""
    if values.size > MOST_SHOWN:
        return None
    return lambda: {"rows": values.tolist(), **{f"released[{i}]": plain(value) for i, value in enumerate(params)}}


def attempt(function: Callable[..., Any], values: Any, params: tuple[Any, ...]) -> Any:
    """The image of a batch as the kernel takes it, or None where it raises or has another shape.

    Of copies: what a function writes into released values is another attack's to find.
    """
    try:
        with np.errstate(all="ignore"):
            given = (values.copy(), *copy.deepcopy(params))
            made = _CALLS.ask(function, *given, size=values.size, shown=_shown(values, params))
            image = np.array(made, dtype=np.float64)
    except (KeyboardInterrupt, TooLong):
        raise
    except BaseException:  # noqa: BLE001  the kernel then calls it row by row
        return None
    if image.ndim == 0 or len(image) != len(values):
        return None
    return image if image.ndim == 2 else image.reshape(len(values), int(np.prod(image.shape[1:])))
