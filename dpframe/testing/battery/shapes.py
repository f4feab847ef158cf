"""Small tables in which one row stands in a special place among the others: amid them, above them, far outside.

What links rows, compares them or draws a line around them moves furthest there, and random rows are seldom so.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

MOST_RADII, MOST_AXES, STEPS = 4, 6, 12
CODES = (5, 9)
HEAVY, OVER, NET, LONGEST = 1e6, (1, 2, 4, 8, 16, 64), (0.1, 0.3, 0.5, 0.7), 4000
"""A number that is large; sums of it that come and go, and sums that stay, in the largest total; rows of a table."""
EQUAL, DIGITS = 1000, 0.40719385620134577
"""How many equal rows there are beside one whose number has as many digits as a number can have."""
VAST = (1e18, float(np.finfo(np.float64).max))
"""Numbers beside which ones are lost, and of which no square is a float."""
COARSE, PARTS, MANY = 500.0, (0.25, 0.7, 0.75), (256, 1000, 1023)
"""A number beside which floats may lie so far apart that squares show it; how far above it, and how many, rows lie."""
PARTS_OF_ONE, LONG_SUM = (0.1, 0.2, 1 / 3, 0.7, 0.9, 0.05, 0.01, 0.15, 1 / 7), 400
"""Numbers of which so many, at most, may add up to just below a whole number."""
GROUPS, MOST_GROUP, MOST_LIMITS = (1, 2, 3, 5), 40, 4
"""Rows that a group is full with, and numbers on whose sides its rows and one more lie."""
PARTED, BLOCKS, MOST_PARTED = (4, 10, 32), 16, 6
"""Rows that statistics by place may take together, beside numbers of the code; how many such parts; kinds of them."""
OUT, FAR_ASIDE = 1e12, 60.0
"""Where a row is that may not count at all, and in largest distances of the code, one that is far from others."""
MOST_CELL, MOST_CELLS = 100, 6
"""Rows that fill a cell, and how many such numbers of the code."""
ROWS_IN_ORDER, SHARES = 240, (1 / 2, 1 / 8)
"""Rows whose last columns follow no rule, and how many of these are not 0."""


def shapes(d: int, numbers: Sequence[float]) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, other rows, the row and one in its place, for distances of 1 and as the numbers in a function's code say.

    In its place one comes so far out that it may not count at all, and one that is only far from all others.
    """
    known = [*dict.fromkeys(abs(x) for x in numbers if 1e-3 < abs(x) < 1e6)]
    radii = [*dict.fromkeys([1.0, 0.5, *known[:MOST_RADII], *sorted(known)[-MOST_RADII:]])]
    aside = FAR_ASIDE * max(radii)
    for words, others, row in _special(d, numbers, radii):
        for other in (OUT, aside):
            yield words, others, row, np.full((1, d), other)


def _special(d: int, numbers: Sequence[float], radii: Sequence[float]) -> Iterator[tuple[str, Any, Any]]:
    yield from _groups(d, numbers) if d > 1 else ()
    yield from _cells(d, numbers, radii)
    for r in radii:
        axes = np.eye(d)[:MOST_AXES]
        yield "a row amid one on each side", 0.9 * r * np.concatenate([axes, -axes]), np.zeros((1, d))
        along = np.zeros((STEPS, d))
        along[:, 0] = np.arange(STEPS) * 0.9 * r
        along[STEPS // 2 :, 0] += 0.8 * r
        between = along[STEPS // 2 - 1 : STEPS // 2] * 1.0
        between[:, 0] += 0.85 * r
        yield "a row between two chains", along, between
        if d > 1:
            turns = _ends(np.stack([np.arange(STEPS) * 0.9 * r, max(r, 1.0) * (-1.0) ** np.arange(STEPS)], axis=1), d)
            yield "a row before a chain of one kind and another in turn", turns, _ends(np.array([[-0.9 * r, 0.0]]), d)
            equal = np.array([[-1.0, 0.0], [0.0, r], [2.0, r], [3.0, 0.0]])
            yield "a low row between two that are equal", _ends(equal, d), _ends(np.array([[1.0, 0.0]]), d)
            yield "a row amid five", _plane(0.95 * r * _circle(5), d), np.zeros((1, d))
            paired = np.concatenate([0.95 * r * _circle(5), 2.0 * r * _circle(5)])
            yield "a row amid five that each have another behind them", _plane(paired, d), np.zeros((1, d))
            yield "a row far from a circle", _plane(r * _circle(STEPS), d), _plane(np.array([[50.0 * r, 0.0]]), d)
            stairs = r * np.stack([np.arange(STEPS), np.arange(STEPS)[::-1]], axis=1)
            for codes in CODES:
                pairs = np.array([(i, j) for i in range(codes) for j in range(codes)], dtype=np.float64)
                for words, kept in (("each pair", pairs[:, 0] < pairs[:, 1]), ("every cell", pairs[:, 0] >= 0)):
                    full = _ends(pairs[kept], d)
                    yield f"a row that completes {words} of {codes} codes", full[1:], full[:1]
            for words, at in (("above", 2.0 * STEPS), ("below", -2.0 * STEPS)):
                yield f"a row {words} all of a stair", _plane(stairs, d), _plane(np.full((1, 2), at * r), d)


def links(d: int) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, other rows, the row and one in its place, where rows link the codes in their first and last columns.

    What counts groups, or measures them, moves furthest where a link of two groups goes and one of new codes comes.
    """
    loops, pairs, stars = [(0, 0), (1, 1)], [(0, 1), (2, 3)], [(0, i) for i in (1, 2, 3)] + [(4, i) for i in (5, 6, 7)]
    ring = [(i, i + 1) for i in range(CODES[0])]
    chains = [(i, i + 1) for i in range(13) if i != 6]
    joined = (
        *(("codes", loops, (0, 1)), ("pairs", pairs, (1, 2)), ("stars", stars, (0, 4)), ("ends", ring, (5, 0))),
        ("chains", chains, (6, 7)),
    )
    for words, others, link in joined if d > 1 else ():
        for new in ((20, 21), (20, 20)):
            made = (_ends(np.array(part, dtype=np.float64), d) for part in (others, [link], [new]))
            yield f"a row that joins two {words}", *made


def in_order(d: int, numbers: Sequence[float]) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, rows in the order of their first column, one before them all, and one behind them in its place.

    What goes by a row's place (parts of so many rows, every second one, a sample with a fixed seed) sees all others
    in other places. Their last columns follow no rule, or are ones on both sides of every second part's end: then each
    of two parts has one of them, and one place on one part has both.
    """
    if d == 1:
        return
    own = [int(x) for x in numbers if 2 <= x <= EQUAL / BLOCKS and x == int(x)]
    large = max((abs(x) for x in numbers if abs(x) < HEAVY), default=1.0)
    made = []
    for size in [*dict.fromkeys([*own, *PARTED])][:MOST_PARTED]:
        two = np.isin(np.arange(2 * size), (size - 1, size)) * 1.0
        made.append((f"ones about ends of parts of {size}", np.resize(two, BLOCKS * size)))
    for share, at in itertools.product(SHARES, dict.fromkeys((1.0, large))):
        made.append((f"{share:.0%} of {at:g}", at * (np.random.default_rng(5).random(ROWS_IN_ORDER) < share)))
    for words, last in made:
        rows = _ends(np.stack([np.arange(len(last)) + 1.0, last], axis=1), d)
        yield f"rows in order, {words}", rows, np.zeros((1, d)), _ends(np.array([[len(last) + 1.0, 0.0]]), d)


def odd_ones(d: int) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, other rows, the row and one in its place: equal rows, and one of which nothing is said by fewer digits.

    And rows that all differ, beside one so far out that they are nothing to it, or that its length is no float.
    """
    yield "equal rows and one with all its digits", np.full((EQUAL, d), 0.1), np.full((1, d), DIGITS), np.ones((1, d))
    for at in VAST:
        yield f"rows that differ and one of {at:g}", np.eye(d), np.full((1, d), at), np.zeros((1, d))


def heaps(d: int, numbers: Sequence[float], most: float) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, other rows, the row and one in its place, both before the others, whose totals come and go.

    A sum of them in floats passes far above ``most``, the largest total, where it is rounded in places that the
    lattice shows, at every row after the first: that one moves it by more than itself.
    """
    large, rng = max((abs(x) for x in numbers if HEAVY <= abs(x) < most), default=most), np.random.default_rng(d)
    for over, net, at in itertools.product(OVER, NET, (large, -large)):
        gone, stay = int(over * most / large), max(1, int(net * most / large))
        if large < most and 2 * gone + stay < LONGEST:
            signs = np.concatenate([np.full(gone + stay, at), np.full(gone, -at)])
            others = (signs * (1 - 0.01 * rng.random(len(signs))))[:, None] * np.ones(d)
            words = f"{gone + stay} rows near {at:g} and {gone} near {-at:g}"
            yield words, others, np.full((1, d), at), np.full((1, d), -at)


def almost_whole(d: int) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, equal rows whose total in floats is just below a whole number, a row of ones, and one of zeros.

    With the row the total is rounded up to a whole number: what is cut off below has moved by two.
    """
    for words, column in _almost():
        yield words, np.repeat(column[:, None], d, axis=1), np.ones((1, d)), np.zeros((1, d))


@functools.cache
def _almost() -> tuple[tuple[str, Any], ...]:
    found = [("one row just below 1", np.full(1, np.nextafter(1.0, 0.0)))]
    for part, total in itertools.product(PARTS_OF_ONE, (np.sum, sum)):
        for m in range(2, LONG_SUM):
            rows = np.full(m, part)
            if math.floor(total(np.append(rows, 1.0))) - math.floor(total(rows)) > 1:
                found.append((f"{m} rows of {part:g}", rows))
                break
    return tuple(found)


def coarse(d: int, numbers: Sequence[float]) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, equal rows a part of 1 above a large number of the code, the row at that number and one a step above.

    Squares, means and differences of such rows are rounded by more than rows differ, and each row pays for that.
    """
    large = [*dict.fromkeys(abs(x) for x in numbers if abs(x) >= COARSE)][-MOST_LIMITS:]
    for x, part, m in itertools.product(large, PARTS, MANY):
        made = (np.full((m, d), x + part), np.full((1, d), x), np.full((1, d), x + 1.0))
        yield f"{m} rows {part:g} above {x:g}", *made


def _groups(d: int, numbers: Sequence[float]) -> Iterator[tuple[str, Any, Any]]:
    """Rows of one group on one side of a number, and one more row of it on the other."""
    counts = [*GROUPS, *(int(x) for x in numbers if 1 <= x <= MOST_GROUP and x == int(x))]
    limits = [*dict.fromkeys([0.0, *numbers])][: 1 + MOST_LIMITS]
    for c, x, side, at in itertools.product(dict.fromkeys(counts), limits, (-1.0, 1.0), (0, d - 1)):
        full, row = np.full((c, d), x + side), np.full((1, d), x - side)
        full[:, at] = row[:, at] = 1.0
        yield f"a row more in a group of {c}", full, row


def _cells(d: int, numbers: Sequence[float], radii: Sequence[float]) -> Iterator[tuple[str, Any, Any]]:
    """A row that fills a cell of its first column between two that are full with so many."""
    full = [int(x) for x in numbers if 2 <= x <= MOST_CELL and x == int(x)][:MOST_CELLS]
    for size, r in itertools.product(full, radii[:3]):
        rows = np.zeros((3 * size, d))
        rows[:, 0] = np.repeat(r * (np.arange(3.0) + 0.25), size)
        yield f"a row that fills a cell between two of {size}", np.delete(rows, size, axis=0), rows[size : size + 1]


def _circle(count: int) -> Any:
    angles = 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _ends(pairs: Any, d: int) -> Any:
    """Pairs in the first and the last of d columns."""
    made = np.zeros((len(pairs), d))
    made[:, 0], made[:, -1] = pairs.T
    return made


def _plane(points: Any, d: int) -> Any:
    """Points of the plane as rows of d columns."""
    return np.concatenate([points, np.zeros((len(points), d - 2))], axis=1)
