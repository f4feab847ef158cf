"""Tables that are worst for what is handed all rows: a climb, on distances or on exact laws.

What a row can do depends on the others: the worst neighbours of a median are tables that lean to one side, those of
a count of triangles are nearly all edges of few nodes. So small tables of few values are changed row by row, as long
as what the neighbours are apart does not fall: a distance over what is declared, or what some output's probability is
on one of them over what it is on the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Exact
from dpframe.proof.spaces import Edits, Table
from dpframe.testing.battery.clocks import spent
from dpframe.testing.battery.enumerator import Unenumerable
from dpframe.testing.battery.exploring import Law

STARTS, STEPS, MOST_ROWS = 6, 150, 9
MOST_LINKED, NEXT = 24, 5
"""Rows of tables on which a number, not a law, is climbed by, and how many more each start has."""
SURELY, SLOWER = 2 * NEXT, 4.0
"""Starts below this are climbed to their end, in so many times the seconds at most beyond these."""
LEAST_MASS = 1e-7
"""Outputs that are rarer than this on both sides are not climbed by."""
SLOW = 0.05
"""Seconds of a law that takes too long to climb."""
Rows = tuple[tuple[float, ...], ...]


@attrs.frozen
class Near:
    """Rows that two tables share, those that only the first has, and those that only the second has."""

    common: Rows
    removed: Rows
    added: Rows

    def sides(self, d: int) -> tuple[Any, Any]:
        """Both tables."""
        one, two = (
            np.array(self.common + part, dtype=np.float64).reshape(-1, d) for part in (self.removed, self.added)
        )
        return one, two

    def tables(self, as_value: Callable[[Any], Any], d: int) -> tuple[Exact, Exact]:
        """Both, as a mechanism is handed them."""
        one, two = (Exact(as_value(side)) for side in self.sides(d))
        return one, two


def climb_tables(
    height: Callable[[Any, Any], float],
    edits: Edits,
    d: int,
    numbers: list[float],
    seconds: float,
    rng: np.random.Generator,
    *,
    brief: bool = False,
) -> bool:
    """Whether tables are found that are more than 1 apart; ``height`` is told both, and keeps the worst.

    The first two climbs go to their end, however slow a machine is within reason, but for a ``brief`` look.
    """
    end, start = spent() + seconds, 0

    def over() -> bool:
        return spent() > end + (0.0 if brief or start >= SURELY else SLOWER * seconds)

    while not over():
        near = _start(edits, d, numbers, start % MOST_LINKED, rng)
        best = height(*near.sides(d))
        for _ in range(STEPS):
            if best > 1 or over():
                break
            other = _changed(near, d, numbers, rng, MOST_LINKED)
            reached = height(*other.sides(d))
            if reached >= best:
                near, best = other, reached
        if best > 1:
            return True
        start += NEXT
    return False


def climb(
    law: Callable[[Exact], Law],
    as_value: Callable[[Any], Any],
    edits: Edits,
    domain: Table,
    numbers: list[float],
    seconds: float,
    rng: np.random.Generator,
) -> list[tuple[Exact, Exact]]:
    """The worst neighbours that were found from each start, the worst first.

    Parameters
    ----------
    law : callable
        The exact law of a release of a table.
    as_value : callable
        Rows as the mechanism is handed them.
    edits : Edits
        How many rows neighbours differ by.
    numbers : list of float
        What rows are made of.
    """
    end = spent() + seconds
    found: list[tuple[float, Near]] = []

    def height(near: Near) -> float:
        one, two = near.tables(as_value, domain.d)
        return _apart(law(one), law(two))

    for start in range(STARTS):
        near = _start(edits, domain.d, numbers, start, rng)
        began = spent()
        try:
            best = height(near)
            if spent() - began > SLOW:
                break
            for _ in range(STEPS):
                if spent() > end:
                    break
                other = _changed(near, domain.d, numbers, rng)
                reached = height(other)
                if reached >= best:
                    near, best = other, reached
        except Unenumerable:
            break
        found.append((best, near))
    found.sort(key=lambda pair: -pair[0])
    return [near.tables(as_value, domain.d) for _, near in found]


def _apart(one: Law, two: Law) -> float:
    """The largest logarithm of a ratio of probabilities, of outputs that are no rarity."""
    keys = [k for k in one.mass.keys() | two.mass.keys() if max(one.mass.get(k, 0), two.mass.get(k, 0)) > LEAST_MASS]
    least = max(one.missing, two.missing, 1e-12)
    return max((abs(math.log((one.mass.get(k, 0) + least) / (two.mass.get(k, 0) + least))) for k in keys), default=0.0)


def _row(d: int, numbers: list[float], rng: np.random.Generator) -> tuple[float, ...]:
    return tuple(float(x) for x in rng.choice(numbers, d))


def _start(edits: Edits, d: int, numbers: list[float], start: int, rng: np.random.Generator) -> Near:
    """A few rows: all alike, of two kinds, or any."""
    kinds = [_row(d, numbers, rng) for _ in range(max(1, start))]
    common = tuple(kinds[i % len(kinds)] for i in range(start + 1))
    ends = ((min(numbers),) * d, (max(numbers),) * d)
    return Near(common, (ends[0],) * edits.removed, (ends[1],) * edits.added)


def _changed(near: Near, d: int, numbers: list[float], rng: np.random.Generator, most: int = MOST_ROWS) -> Near:
    """One row more, fewer, moved or like another; now and then two at once."""
    common, removed, added = (list(part) for part in (near.common, near.removed, near.added))
    for _ in range(int(rng.choice([1, 1, 2]))):
        kind = int(rng.integers(6))
        if kind == 0 and len(common) < most:
            common.append(_row(d, numbers, rng))
        elif kind == 1 and common:
            common.pop(int(rng.integers(len(common))))
        elif kind == 2 and common and len(common) < most:
            common.append(common[int(rng.integers(len(common)))])
        else:
            rows = (common, removed, added, common)[int(rng.integers(4))]
            if rows:
                at = int(rng.integers(len(rows)))
                row = list(rows[at])
                row[int(rng.integers(d))] = float(rng.choice(numbers))
                rows[at] = tuple(row)
    return Near(tuple(common), tuple(removed), tuple(added))
