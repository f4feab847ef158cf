"""Places that a function's numbers make together: a limit of a year that a month meets, degrees of one kind in another.

A function that compares 12·x with 50,000, x·1.8 + 32 with 451 or x² with 3.1e8 turns where no number of its code is.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

FIRST, FEW, MOST = 12, 6, 300
"""Numbers that are put together by twos and by threes, and places that are tried."""
LARGEST, LONGEST = 1e12, 60_000
"""Places that are tried, and rows of which a total is made."""


def places(numbers: Iterable[float]) -> list[float]:
    """Where a number that is added to, multiplied with, squared or all of these meets another.

    Examples
    --------
    >>> 4166 < places([12.0, 50_000.0])[0] < 4167
    True
    >>> 419 / 1.8 in places([1.8, 32.0, 451.0])
    True
    """
    known = [*dict.fromkeys(abs(float(x)) for x in numbers if x)]
    known.sort(reverse=True)
    pairs = list(itertools.permutations(known[:FIRST], 2))
    made = itertools.chain(
        (a / b for a, b in pairs if a > b),
        (root for a in known for root in (math.sqrt(a), a ** (1 / 3))),
        (x for a, b in pairs if a > b for x in (a - b, a + b, a * b)),
        ((a + sign * b) / c for a, b, c in itertools.permutations(known[:FEW], 3) for sign in (-1, 1)),
        (b / a for a, b in pairs if a > b),
    )
    found = dict.fromkeys(x for x in made if 0 < abs(x) < LARGEST and x not in known)
    return [*found][:MOST]


def wholes(numbers: Iterable[float]) -> list[int]:
    """Both whole numbers beside each of these places, above 1."""
    return [*dict.fromkeys(int(x) + step for x in places(numbers) if x > 1 for step in (0, 1))]


def totals(d: int, numbers: Sequence[float], most: int = LONGEST) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, equal rows whose total is just at one of these places or of the numbers, one more, and one of zeros.

    At most so many rows.
    """
    most, known = min(most, LONGEST), [*dict.fromkeys(abs(float(x)) for x in numbers if x)]
    sizes = (c for c in sorted(known) if c >= 0.5)
    for size, place in itertools.product([1.0, *itertools.islice(sizes, FEW)], [*known, *places(numbers)]):
        m = int(place / size) if place < (most + 1) * size else 0
        if 1 < m <= most:
            yield f"{m} rows of {size:g}", np.full((m, d), size), np.full((1, d), size), np.zeros((1, d))
