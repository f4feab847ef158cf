"""Batches, tables and values that are something as a whole: equal, balanced, an even ladder, a symmetric matrix.

No row of them is special alone. What treats such a batch in a way of its own (a constant column is dropped, a ledger
that balances is nought, small whole numbers are kept in a byte) gives its rows other images than they have alone.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from dpframe.testing.battery.clocks import seconds_of

SIZE, LONG = 7, 56
"""Rows of a batch, and of one that has a pattern."""
MANY, FEW, SLOW = 4096, 128, 0.004
"""Rows of a batch of different ones; so many of them tell whether it takes long, from so many seconds on."""
HOUR, DAY = 3600.0, 86400.0
RADICES, MOST_RADICES, MOST_BITS = (10.0, 100.0, 256.0, 1000.0, 1e4, 65536.0), 14, 24
"""What keys of two codes are made with, how many of these are tried, the code's own first, and bits of a shift."""
OFF = (0.37, -0.61, 0.53, 0.29)
"""Where what is special about a value is lost."""


def columns() -> Iterator[tuple[str, Any]]:
    """Columns of :data:`SIZE` numbers, or of fewer, that are something as a whole."""
    at = np.arange(float(SIZE))
    mixed = np.array([3.0, -1.5, 2.5, 4.0, -0.5, 1.0, 7.0])
    yield "equal numbers", np.full(SIZE, 2.5)
    yield "two equal numbers", np.full(2, -3.0)
    yield "numbers that add up to 0", np.append(mixed[:-1], -mixed[:-1].sum())
    yield "two numbers that add up to 0", np.array([2.5, -2.5])
    yield "0, 1, 2 and so on", at
    yield "1, 2, 3 and so on, not in their order", np.array([4.0, 1.0, 7.0, 2.0, 6.0, 3.0, 5.0])
    yield "an even ladder", 2.5 + 3 * at
    yield "an even ladder down", 20.0 - 3 * at
    yield "powers", 3.0 * 2.0**at
    yield "numbers that add up to 1", 2.0 ** -np.minimum(at + 1, SIZE - 1)
    yield "nearly equal numbers", 2.5 * (1 + at * 2.0**-40)
    yield "equal numbers up to a millionth", 2.5 * (1 + at * 1e-7)
    yield "signs that alternate", (at + 1.5) * (-1) ** at
    yield "a column that is its own mirror", np.array([1.5, 4.0, -2.0, 3.0, -2.0, 4.0, 1.5])
    for ddof in (0, 1):
        yield f"numbers of mean 0 and deviation 1, by n - {ddof}", (mixed - mixed.mean()) / mixed.std(ddof=ddof)
    yield "negative numbers", -1.25 - at
    yield "bytes", np.array([250.0, 3.0, 128.0, 255.0, 17.0, 200.0, 64.0])
    yield "whole numbers of two bytes", np.array([32767.0, 300.0, 20000.0, 7.0, 31000.0, 256.0, 12345.0])
    yield "whole numbers of four bytes", np.array([2.0**31 - 1, 70000.0, 2.0**30, 99.0, 2e9, 1e6, 65537.0])
    yield "times of one hour", 5 * HOUR + np.array([17.0, 3599.0, 1.0, 1800.0, 60.0, 2400.0, 900.0])
    yield "times of one day", 19723 * DAY + np.array([17.0, 86399.0, 3600.0, 43200.0, 60.0, 80000.0, 900.0])
    yield "years", np.array([1999.0, 2004.0, 2010.0, 2023.0, 1987.0, 2000.0, 2015.0])
    yield "round numbers", np.array([300.0, 1200.0, 100.0, 5000.0, 700.0, 2500.0, 900.0])
    yield "square numbers", np.array([9.0, 4.0, 49.0, 16.0, 100.0, 25.0, 36.0])
    yield "primes", np.array([7.0, 2.0, 13.0, 3.0, 31.0, 5.0, 11.0])
    yield "odd numbers", np.array([3.0, 11.0, 5.0, 27.0, 1.0, 9.0, 101.0])
    yield "percentages", np.array([12.0, 99.0, 0.0, 50.0, 100.0, 33.0, 7.0])
    dates = np.array([20240115.0, 20130106.0, 19870330.0, 20200229.0, 19991231.0, 20010901.0])
    for first, words in ((2013.0, "a year"), (13012013.0, "one with its day first"), (201301.0, "a month")):
        yield f"dates that are written as numbers, after {words}", np.append(first, dates)


def long_columns() -> Iterator[tuple[str, Any]]:
    """Columns of :data:`LONG` numbers that are something as a whole."""
    at = np.arange(float(LONG))
    rng = np.random.default_rng(LONG)
    noise = 0.1 * np.round(rng.standard_normal(LONG) * 64) / 64
    yield "many signs that alternate", (at % 11 + 1.5) * (-1) ** at
    yield "a weekly pattern", np.resize([0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 9.0], LONG) + noise
    yield "a wave", 8 * np.sin(at * np.pi / 6) + noise
    yield "a trend", 3 * at + 2 + noise
    yield "a random walk", np.cumsum(np.round(rng.standard_normal(LONG) * 64) / 64)
    yield "codes that stand twice each", np.repeat(np.arange(LONG / 2), 2)
    yield "codes that stand twice each, in turns", np.resize(np.arange(LONG / 2) + 3, LONG)
    yield "two levels", np.repeat([2.5, 40.0], LONG // 2) + noise
    yield "many numbers from 1 on, not in their order", (at * 15) % LONG + 1


def batches(d: int, own: Sequence[float] = ()) -> Iterator[tuple[str, Any]]:
    """Batches of d columns: each column one of :func:`columns`, turned by a place from the first on; and others.

    ``own`` are numbers of a function's code.

    Examples
    --------
    >>> sum(1 for _ in batches(2)), dict(batches(2))["two equal numbers"].tolist()
    (95, [[-3.0, -3.0], [-3.0, -3.0]])
    """
    for words, column in itertools.chain(columns(), long_columns()):
        turned = [np.roll(column, -j) for j in range(d)]
        yield words, np.stack(turned, axis=1)
        if d > 1:  # the others are like nothing
            plain = np.round(np.random.default_rng(len(column)).standard_normal((len(column), d)) * 64) / 16
            plain[:, 0] = column
            yield f"{words}, in the first column", plain
    one = np.round(np.random.default_rng(d).standard_normal((SIZE + 5, d)) * 64) / 16
    yield "rows, and all of them again", np.concatenate([one, one])
    if d == 1:
        return
    angle = np.arange(float(SIZE)) + 0.5
    unit = np.zeros((SIZE, d))
    unit[:, 0], unit[:, 1] = np.cos(angle), np.sin(angle)
    yield "rows of length 1", unit
    yield "one-hot rows", np.eye(d)[np.array([0, 1, 0, d - 1, 1, 0, 0])]
    at = np.arange(SIZE) + 1.0
    yield "a column and its running totals", np.stack([*[at * 2.5] * (d - 1), np.cumsum(at * 2.5)], axis=1)
    yield "columns that are multiples of one another", at[:, None] * (1 + 1.5 * np.arange(d))
    single = np.zeros((SIZE, d))
    single[np.arange(SIZE), np.arange(SIZE) % d] = 1.5 + at
    yield "rows of one number each", single
    pairs = np.stack([at[:4] * 2.5] * d, axis=1) + np.arange(d)
    yield "pairs of equal rows", np.repeat(pairs, 2, axis=0)
    yield from ((words, np.concatenate([codes] + [codes[:, -1:]] * (d - 2), axis=1)) for words, codes in _keys(own))
    square = np.round(np.random.default_rng(d).standard_normal((d, d)) * 8)
    yield "a symmetric matrix", square + square.T
    yield "a symmetric matrix with zeros on its diagonal", (square + square.T) * (1 - np.eye(d)) + (1 - np.eye(d)) / 2
    yield "a matrix of ones on its diagonal", np.eye(d)
    weights = np.round(np.abs(square + square.T)) + 1
    yield (
        "a matrix of a graph, whose rows add up to 0",
        np.diag((weights * (1 - np.eye(d))).sum(axis=1) + np.diag(weights)) - weights,
    )


def _keys(own: Sequence[float]) -> Iterator[tuple[str, Any]]:
    """Pairs of codes that a key takes for the same: run together, at a radix, added, multiplied, by their hash."""
    yield (
        "codes that run together",
        np.array([[1, 12], [11, 2], [112, 0], [1, 120], [11, 20], [1, 1], [11, 1], [1, 11.0]]),
    )
    yield "codes whose decimals run together", np.array([[1.0, 12.0], [1.01, 2.0], [2.5, 10.25], [2.51, 0.25]])
    more = sorted({abs(x) for x in own if 2 <= abs(x) < 1e9 and x == int(x)})
    more += [2.0**x for x in more if x <= MOST_BITS]
    known = [*dict.fromkeys([*more, *RADICES])][:MOST_RADICES]
    rows = [row for r in known for row in ((2, 5), (1, r + 5), (0, 2 * r + 5), (5, 2), (r + 5, 1), (2 * r + 5, 0))]
    yield "codes that one key holds", np.array([*dict.fromkeys(rows)], dtype=np.float64)
    plain = [(2, 6), (3, 4), (1, 12), (12, 1), (6, 2), (4, 3), (5, 3), (7, 1), (-1, 3), (-2, 3), (3, -1), (3, -2)]
    yield "codes of equal products, totals and hashes", np.array(plain, dtype=np.float64)


def in_other_orders(image: Callable[[Any], Any], d: int) -> Iterator[dict[str, Any]]:
    """What tells that a row's image is another where the same many rows come backwards, or half of them.

    No two rows are equal; of so many some share a short checksum, a slot of a table, or what else a memo is kept by.
    """
    rng = np.random.default_rng(d)
    for rows in (np.round(1000 * rng.standard_normal((MANY, d)), 3), rng.integers(0, 10**6, (MANY, d)) * 1.0):
        if seconds_of(functools.partial(image, rows[:FEW])) > SLOW:
            return
        every = image(rows)
        if every is None:
            continue  # the kernel calls it row by row
        for words, part in (("backwards", slice(None, None, -1)), ("without the others", slice(MANY // 2, None))):
            other = image(rows[part])
            if other is None or other.shape[1] != every.shape[1]:
                continue
            wrong = np.flatnonzero(
                ~((other == every[part]) | ~np.isfinite(other) & ~np.isfinite(every[part])).all(axis=1)
            )
            if len(wrong):
                at = wrong[0]
                message = f"a row's image is another where {len(other)} rows come {words}: other rows change it"
                yield {"message": message, "row": rows[part][at], "among_them": every[part][at], words: other[at]}


def tables(d: int) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, all rows of a batch but one, that one, and another row in its place."""
    for words, batch in batches(d):
        yield f"{words}, with one of them", batch[:-1], batch[-1:], np.full((1, d), 0.71875)


def values(d: int, turn: int = 0) -> Iterator[tuple[str, Any]]:
    """Names and vectors that are something as a whole; with another ``turn`` others of the same kinds."""
    at = np.arange(d)
    rising = np.array([0.25, 0.625, 1.5, 1.75])[:d] * (1 + turn)
    if d > 1:
        mixed = np.roll(rising, turn) * np.where(at == turn, -1.0, 1.0)
        yield "a value of length 1", mixed / math.sqrt(float(np.square(mixed).sum()))
        yield "shares", np.roll(np.append(0.75 * 0.25 ** at[:-1], 0.25 ** (d - 1)), turn)
        yield "a value whose numbers add up to 0", np.append(rising[:-1], -rising[:-1].sum())
        yield "a value whose numbers rise", rising
        yield "a value whose numbers fall", rising[::-1].copy()
        yield "a value of equal numbers", np.full(d, 0.75 + turn)
        yield "a value of one number and zeros", np.roll(1.0 * (at == 0), turn)
    if d == 4:
        yield "a symmetric matrix", np.array([1.25, 0.5 + turn, 0.5 + turn, 2.75])
    yield "a value of whole numbers", 2.0 * at + 1 + turn
    yield "a value of quarters", 0.5 * at + 0.25 + turn
    yield "a value of zeros and ones", (at + turn) % 2 + 0.0
    yield "a value of 0", np.full(d, float(turn))


def triples() -> Iterator[tuple[Any, Any, Any]]:
    """Two values of one kind and one that is near the second and of no kind, in two orders."""
    for d in (2, 3, 4):
        for (_, one), (_, other) in zip(values(d), values(d, 1), strict=True):
            near = other + 1e-3 * np.array(OFF[:d])
            yield one, near, other
            yield one, other, near
