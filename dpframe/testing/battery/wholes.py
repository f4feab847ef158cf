"""Batches of which one figure as a whole is a number of the code, and batches that are laid out by a plan.

A mean of 50, a range of 360, rows that add up to 24: what treats such a batch in a way of its own is seen only where
the figure is met exactly. So each figure of a column, of each row and of all numbers is brought to each number, by
moving or stretching plain ones; and a last or first row is what a table has there: a total, a mean, a largest.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

SIZE, MOST_OWN, MOST_PAIRED, MOST_LEVELS = 8, 10, 4, 40
"""Rows of a batch; numbers of the code that are tried, and that are tried in pairs; different numbers of a column."""
LEAST, LARGEST = 1e-3, 1e9
"""Sizes of numbers that are tried: what is smaller is a tolerance, what is larger an end."""
MIXED = np.array([3.0, -1.5, 2.5, 4.0, -0.5, 1.0, 6.5, 1.0])
RISING = np.array([1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 16.0, 17.0])
WEIGHTS = np.array([8.0, 2.0, 1.0, 4.0, 1.0, 10.0, 4.0, 2.0]) / 32
FACTORS = np.array([2.0, -0.5, 4.0, 0.25, -1.0, 8.0, 0.5])
"""Plain columns: of both signs, of whole numbers above 0 that rise, parts of a whole, factors whose product is 2."""
EVEN = np.array([3.0, 3.0, -3.0, -1.0, -1.0, -1.0, 1.0, -1.0]), np.array([4.0, -3.0, -1.0, 1.0, -1.0, 0.0, 0.0, 0.0])
"""Columns of mean 0 and deviation 2, by n and by n - 1: figures of these are exact in floats."""
UPWARDS = np.array([0, 0.125, 0.25, 0.5, 0.625, 0.75, 0.875, 1.0])
ORDER = np.array([3, 0, 5, 1, 7, 6, 2, 4])
Figure = Callable[[Any], Any]
MOVED: dict[str, Figure] = {
    "mean": np.mean,
    "median": np.median,
    "least": np.min,
    "largest": np.max,
    "first": lambda v: v[0],
    "last": lambda v: v[-1],
    "middle": lambda v: (v.min() + v.max()) / 2,
}
"""Figures that move with the numbers of a column."""
STRETCHED: dict[str, tuple[Figure, float]] = {
    "range": (np.ptp, 1.0),
    "deviation": (np.std, 1.0),
    "deviation by n - 1": (lambda v: v.std(ddof=1), 1.0),
    "variance": (np.var, 2.0),
    "variance by n - 1": (lambda v: v.var(ddof=1), 2.0),
    "length": (lambda v: math.sqrt(float(np.square(v).sum())), 1.0),
    "total of squares": (lambda v: np.square(v).sum(), 2.0),
    "total of sizes": (lambda v: np.abs(v).sum(), 1.0),
    "largest size": (lambda v: np.abs(v).max(), 1.0),
    "mean size": (lambda v: np.abs(v).mean(), 1.0),
    "spread of the middle half": (lambda v: np.ptp(np.quantile(v, (0.25, 0.75))), 1.0),
    "way from first to last": (lambda v: v[-1] - v[0], 1.0),
}
"""Figures that grow with a power of the numbers' size, and which."""
OF_POSITIVE: dict[str, Figure] = {
    "geometric mean": lambda v: np.exp(np.log(v).mean()),
    "harmonic mean": lambda v: len(v) / (1 / v).sum(),
}
"""The same of numbers above 0, in their first power."""
OF_ROWS: dict[str, Figure] = {
    "total": lambda v: v.sum(axis=0),
    "mean": lambda v: v.mean(axis=0),
    "largest": lambda v: v.max(axis=0),
    "least": lambda v: v.min(axis=0),
    "median": lambda v: np.median(v, axis=0),
    "product": lambda v: v.prod(axis=0),
    "deviation": lambda v: v.std(axis=0),
    "number": lambda v: np.full(v.shape[1], float(len(v))),
}
"""What a row below or above the others may tell of them."""


def numbers_of(own: Iterable[float]) -> list[float]:
    """A few numbers of a function's code, those near 1 first, without signs that occur with both.

    Examples
    --------
    >>> numbers_of([-1e12, -50.0, 1e-9, 24.0, 50.0])
    [24.0, 50.0]
    """
    held = [x for x in own if LEAST <= abs(x) <= LARGEST]
    held = [x for x in held if x > 0 or -x not in held]
    return sorted(held, key=lambda x: abs(math.log(abs(x))))[:MOST_OWN]


def moved(column: Any, figure: Figure, number: float) -> Any:
    """The column, moved to where its figure is the number."""
    for _ in range(3):  # the first step rounds
        column = column + (number - figure(column))
    return column


def stretched(column: Any, figure: Figure, power: float, number: float) -> Any:
    """The column, stretched until its figure is the number; of another sign than the figure, nothing can."""
    for _ in range(3):
        share = number / figure(column)
        column = column * (math.copysign(abs(share) ** (1 / power), share if power == 1 else 1.0))
    return column


def brought(number: float) -> Iterator[tuple[str, Any]]:
    """Columns of which one figure is the number."""
    for words, figure in MOVED.items():
        yield f"{words} {number:g}", moved(MIXED, figure, number)
        yield f"{words} {number:g} of rising numbers", moved(RISING, figure, number)
    for total in dict.fromkeys((number, number * (SIZE - 1), number * (SIZE - 2))):
        yield f"total {total:g}", np.append(MIXED[:-1], total - MIXED[:-1].sum())
        yield f"total {total:g} of rising numbers", RISING - RISING.mean() + total / SIZE
    if not number:
        return
    yield f"parts of {number:g}", WEIGHTS * number
    for words, (figure, power) in STRETCHED.items():
        if number > 0 or words.startswith("way"):
            yield f"{words} {number:g}", stretched(MIXED, figure, power, number)
            yield f"{words} {number:g} of rising numbers", stretched(RISING, figure, power, number)
    for words, figure in OF_POSITIVE.items() if number > 0 else ():
        yield f"{words} {number:g}", stretched(RISING, figure, 1.0, number)
    for words, even in zip(("n", "n - 1"), EVEN, strict=True):
        yield f"deviation {abs(number):g}, by {words}", 1.0 + even * abs(number) / 2
        yield f"variance {abs(number):g}, by {words}", 1.0 + even * math.sqrt(abs(number)) / 2
    yield f"product {number:g}", np.append(FACTORS, number / FACTORS.prod())
    for few in (RISING[3:5], RISING[:6]):  # an odd number of numbers
        last = number - float((few * np.resize([1.0, -1.0], len(few))).sum())
        yield f"{len(few) + 1} numbers of alternating total {number:g}", np.append(few, last)


def plans(number: float) -> Iterator[tuple[str, Any]]:
    """Columns that are laid out with a number: ladders, multiples, powers, levels, so many different ones."""
    at = np.arange(float(SIZE))
    for words, column in (
        ("steps of", at * number),
        ("steps from 1 of", (at + 1) * number),
        ("an even way from 0 to", number * at / (SIZE - 1)),
        ("shares of a turn of", number * at / SIZE),
        ("an uneven way from 0 to", number * UPWARDS),
        ("multiples, in no order, of", RISING[ORDER] * number),
        ("0 and", np.where(at % 3 == 1, number, 0.0)),
        ("both signs of", np.where(at % 3 == 1, number, -number)),
        ("1 and", np.where(at % 3 == 1, number, 1.0)),
        ("one left over by", RISING[ORDER] * number + 1),
        ("all but one are", np.where(at == 4, number + 1, number)),
        ("up to", number - RISING[ORDER] + 1),
        ("from there on", number + RISING[ORDER] - 1),
        ("one after the other to", number - at[::-1]),
        ("halves of", number * 0.5**at),
        ("a sum of two is", np.concatenate([RISING[:4], number - RISING[:4][::-1]])),
    ):
        yield f"{words} {number:g}", column
    if 1 < abs(number) < 1e4:
        yield f"powers of {number:g}", number**at
    if number == int(number) and 2 <= number <= MOST_LEVELS:
        some = np.arange(int(number)) * 1.5
        yield f"{number:g} different numbers", np.append(some, some[: 1 + len(some) // 2])


def columns() -> Iterator[tuple[str, Any]]:
    """Columns that are laid out by a plan without any number."""
    at = np.arange(float(SIZE))
    yield "a way up from 0 to 1", UPWARDS
    yield "even shares up to 1", (at + 1) / SIZE
    yield "middles of even shares", (at + 0.5) / SIZE
    yield "ranks", ORDER + 1.0
    yield "ranks from 0", ORDER + 0.0
    yield "ranks backwards", SIZE - at
    yield "rising, unevenly", np.array([-4.5, -1.0, 0.5, 0.75, 3.0, 9.5, 10.0])
    yield "falling, unevenly", np.array([10.0, 9.5, 3.0, 0.75, 0.5, -1.0, -4.5])
    yield "rising with ties", np.array([-1.5, -1.5, 0.5, 0.5, 0.5, 3.0, 8.25])
    yield "up and down again", np.array([0.5, 2.0, 5.5, 7.0, 4.5, 1.0, -2.0])
    yield "pairs", np.array([2.5, 7.0, -1.0, 2.5, 4.0, 4.0, 7.0, -1.0])
    yield "groups of one size, in order", np.repeat([0.0, 1.0, 2.0], 3)
    yield "groups of one size", np.array([2.0, 0.0, 1.0, 0.0, 2.0, 1.0])
    yield "each with its opposite", np.array([2.5, -1.5, 7.0, -2.5, -7.0, 1.5])
    yield "each with its inverse", np.array([2.0, 0.25, 8.0, 0.5, 4.0, 0.125])
    yield "0 and 1 in turn", at % 2
    yield "as many zeros as ones", np.array([1.0, 0.0, 0.0, 1.0, 0.0, 1.0])
    yield "both signs of 1, as many", np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0])
    yield "one 1 among zeros", 1.0 * (at == 2)
    yield "one that is no 0", 2.75 * (at == 4)
    yield "all but one are equal", np.where(at == 2, 8.0, 2.5)
    yield "each the total of the two before", np.array([2.0, 1.0, 3.0, 4.0, 7.0, 11.0, 18.0])
    yield "running totals", np.cumsum(RISING)
    yield "factorials", np.array([1.0, 2.0, 6.0, 24.0, 120.0, 720.0, 5040.0])
    yield "growing ever faster", np.array([0.5, 1.0, 2.0, 4.5, 8.0, 14.5, 30.0])
    yield "changes that add up to 0", np.array([2.5, 4.0, -1.0, 0.5, 3.0, -2.0, 2.5])
    yield "mean and median are one", np.array([1.5, -3.0, 4.0, 0.0, 9.0, -6.0, 5.0])
    yield "shares of whole numbers", RISING / RISING.sum()
    yield "powers of 10", 10.0**at
    yield "parts of a whole, falling", np.array([0.5, 0.25, 0.125, 0.0625, 0.0625])


def with_totals(d: int) -> Iterator[tuple[str, Any]]:
    """Batches whose last or first row, or whose last or first column, tells something of the others."""
    rng = np.random.default_rng(d)
    for base in (rng.integers(1, 30, (4, d)) * 1.0, np.round(rng.standard_normal((5, d)) * 16) / 4):
        for words, figure in OF_ROWS.items():
            told = figure(base)[None]
            yield f"the last row is the {words} of the others", np.vstack([base, told])
            yield f"the first row is the {words} of the others", np.vstack([told, base])
        signs = np.vstack([base, -base.sum(axis=0)[None]])
        yield "the last row is all that is missing to 0", signs
        if d > 1:
            share = base[:, :-1]
            for words, figure in OF_ROWS.items():
                told = figure(share.T)[:, None]
                yield f"the last column is the {words} of the others", np.hstack([share, told])
                yield f"the first column is the {words} of the others", np.hstack([told, share])
            both = np.hstack([share, share.sum(axis=1, keepdims=True)])
            yield "totals below and beside", np.vstack([both, both.sum(axis=0)])


def designs(d: int) -> Iterator[tuple[str, Any]]:
    """Batches of d > 1 columns that are all of something, or matrices of a kind."""
    wide = min(d, 3)
    for words, levels in (
        ("of two and three levels", ((1.0, 4.0), (2.0, 5.0, 7.0), (0.0, 3.0))),
        ("of 0 and 1", ((0.0, 1.0),) * 3),
        ("of both signs", ((-1.0, 1.0),) * 3),
        ("of three levels", ((0.0, 1.0, 2.0),) * 3),
    ):
        grid = np.array([*itertools.product(*levels[:wide])])
        yield f"all combinations {words}", _filled(grid, d)
        mixed = np.random.default_rng(3).permutation(len(grid))
        yield f"all combinations {words}, in no order", _filled(grid[mixed], d)
    yield "all orders", _filled(np.array([*itertools.permutations(range(1, wide + 1))]) * 1.0, d)
    yield "all pairs of four", _filled(np.array([*itertools.combinations(range(1, 5), 2)]) * 1.0, d)
    yield "a corner and steps from it", np.vstack([np.full(d, 2.5), 2.5 + 1.5 * np.eye(d)])
    at = np.arange(d)
    rng = np.random.default_rng(d)
    plain = rng.integers(1, 9, (d, d)) * 1.0
    yield "a matrix that turns", plain[0][(at[:, None] - at) % d]
    yield "a matrix of few lines", np.outer(at + 1.0, at + 2.5)
    yield "a triangle", np.tril(plain)
    yield "a triangle above", np.triu(plain)
    yield "a matrix with its opposite mirrored", np.tril(plain, -1) - np.tril(plain, -1).T
    yield "a diagonal", np.diag(at + 1.5)
    yield "ones on a diagonal, and alike beside it", np.where(np.eye(d) > 0, 1.0, 0.25)
    yield "shares of rows and columns", np.where(np.eye(d) > 0, 0.5, 0.5 / max(d - 1, 1))
    yield "a turned identity", np.eye(d)[::-1].copy()
    yield "each place's indicator, some twice", np.eye(d)[np.append(at, ORDER % d)]
    angle = np.linalg.qr(plain)[0]
    yield "a matrix of right angles", angle
    apart = np.abs(np.subtract.outer(RISING[at % SIZE], RISING[at % SIZE])) + 1.0 * (at[:, None] != at) * (d > SIZE)
    yield "distances", apart
    line = MIXED[:, None]
    yield "the same column twice", np.repeat(line, d, axis=1)
    yield "a column and its opposite", line * np.where(at % 2, -1.0, 1.0)
    yield "a column and its order", np.hstack([line, *[np.argsort(np.argsort(line, axis=0), axis=0) * 1.0] * (d - 1)])
    one, other = np.array([[1.0, -1, 2, -2, 0, 3, -3], [2.0, 2, -1, -1, -2, 0, 0]])
    yield "columns at right angles", _filled(np.stack([one, other], axis=1), d)


def batches(d: int, own: Sequence[float] = ()) -> Iterator[tuple[str, Any]]:
    """Names and batches of d columns: of a figure that is one of ``own``, a function's numbers, or 0 or 1; by plans.

    Examples
    --------
    >>> dict(batches(1, [50.0]))["mean 50"].T.tolist()
    [[51.0, 46.5, 50.5, 52.0, 47.5, 49.0, 54.5, 49.0]]
    >>> dict(batches(2, [24.0]))["ends of rows that add up to 24"].sum(axis=1).tolist()[:3]
    [24.0, 24.0, 24.0]
    """
    known = numbers_of(own)
    for words, column in columns():
        yield words, _turned(column, d)
    yield from with_totals(d)
    if d > 1:
        yield from designs(d)
    for number in dict.fromkeys([*known, 0.0, 1.0]):
        for words, column in (*brought(number), *(plans(number) if number else ())):
            yield words, _turned(column, d)
        if d > 1:
            yield from _rows_at(d, number)
    for mean, deviation in itertools.permutations([*known[:MOST_PAIRED], *known[-1:]], 2):
        for words, even in zip(("n", "n - 1"), EVEN, strict=True):
            column = mean + even * abs(deviation) / 2
            yield f"mean {mean:g}, deviation {abs(deviation):g}, by {words}", _turned(column, d)
        ends = (RISING - RISING[0]) / np.ptp(RISING) * (deviation - mean) + mean
        yield f"from {mean:g} to {deviation:g}", _turned(ends, d)


def _rows_at(d: int, number: float) -> Iterator[tuple[str, Any]]:
    """Batches in which one figure of each row is the number, and of all numbers at once."""
    base = np.round(np.random.default_rng(d).random((SIZE, d)) * 64 + 8) / 8
    for low in (base, base - 4.5):
        for words, total in (("rows", low.sum(axis=1)), ("ends of rows", low[:, 0] + low[:, -1])):
            rows = low.copy()
            rows[:, -1] += number - total
            yield f"{words} that add up to {number:g}", rows
        yield f"rows of mean {number:g}", low + (number - low.mean(axis=1))[:, None]
        yield f"rows at most {number:g}", low + (number - low.max(axis=1))[:, None]
        yield f"rows at least {number:g}", low + (number - low.min(axis=1))[:, None]
        for words, far in (("more", number), ("less", -number)):
            yield f"a last column that is {number:g} {words}", np.hstack([low[:, :-1], low[:, :1] + far])
        all_of = low.copy()
        all_of[-1, -1] += number - all_of.sum()
        yield f"numbers that add up to {number:g}", all_of
    if number > 0:
        sizes = np.sqrt(np.square(base).sum(axis=1))
        yield f"rows of length {number:g}", base * (number / sizes)[:, None]
        spread = base + 9.0 * np.arange(d)
        yield f"rows of range {number:g}", spread * (number / np.maximum(np.ptp(spread, axis=1), 1))[:, None]
    if number:
        shares = base / base.sum(axis=1, keepdims=True)
        yield f"shares of {number:g}", shares * number
        yield f"a last column that is {number:g} times the first", np.hstack([base[:, :-1], base[:, :1] * number])
        first = np.hstack([base[:, :1] * number, *[base[:, :1]] * (d - 1)])
        yield f"a first column that is {number:g} times the last", first
        rows = base.copy()
        rows[:, -1] = number / base[:, :-1].prod(axis=1)
        yield f"rows whose product is {number:g}", rows
        square = np.vstack([base] * (1 + d // SIZE))[:d] - 4.5
        square[-1, -1] += number - np.trace(square)
        yield f"a matrix of trace {number:g}", square
        yield f"a matrix of determinant {number:g}", np.triu(square, 1) + np.diag([*[1.0] * (d - 1), number])


def _turned(column: Any, d: int) -> Any:
    """Each column this one: what holds of its order holds of all."""
    return np.stack([column] * d, axis=1)


def _filled(rows: Any, d: int) -> Any:
    """The rows with their last column again, up to d."""
    return np.concatenate([rows[:, :d]] + [rows[:, -1:]] * (d - rows.shape[1]), axis=1)
