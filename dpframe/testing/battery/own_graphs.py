"""Tables that are graphs, groups or hubs just beyond what a claim's own numbers say, and sums far above what they hold.

"No two people have more than ten friends in common" is claimed by a number that need not stand in the function's code.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dpframe.proof.theorems import Metrics
from dpframe.testing.battery import sizes
from dpframe.testing.battery.shapes import MOST_LIMITS

MOST_CODES, MOST_COMMON, MOST_CLAIMED = 40, 1200, 5
"""Codes of which each pair is a row; rows that share a code at most; numbers of a claim."""
MOST_WIDTHS, MANY, SEEDS, FAR = 3, (12, 100, 1000), 8, 1e17
"""How far from a large number rows may lie, how many and in how many ways; where one is that is cut off there."""


def claimed(declared: Mapping[Any, Metrics], claim: Any) -> list[int]:
    """Whole numbers that a claim is made of, or that it comes to; the smallest first."""
    bounds = [float(getattr(m, "bound", 0.0)) for made in declared.values() for m in made]
    numbers = [*bounds, *sizes.constants(claim)]
    return sorted({math.floor(x) for x in numbers if 2 <= x <= MOST_COMMON})[:MOST_CLAIMED]


def graphs(d: int, numbers: Iterable[int]) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, other rows, the row and one in its place, where rows join the codes of their first and last columns.

    As many codes that are all joined, that two have in common, or that one has, as no claim of such a number allows.
    """
    for c in numbers if d > 1 else ():
        near, away = range(2, c + 4), c + 100
        parts = {
            f"a row that joins two codes with {c + 2} others in common": [(i, j) for j in near for i in (0, 1)],
            f"a row of a code with {c + 2} others": [(0, j) for j in near],
            f"a row of {c + 2} codes with one other": [(j, 1) for j in near],
            f"a row that joins two hubs of {c + 2} codes": [(i, j + i * away) for j in near for i in (0, 1)],
        }
        if c + 3 <= MOST_CODES:
            pairs = [*itertools.combinations(range(c + 3), 2)]
            parts = {f"a row that completes each pair of {c + 3} codes": pairs[1:], **parts}
        for words, others in parts.items():
            yield words, *(_ends(rows, d) for rows in (others, [(0, 1)], [(3 * away, 3 * away + 1)]))


def unlike(d: int, numbers: Sequence[float], step: float) -> Iterator[tuple[str, Any, Any, Any]]:
    """Names, rows that all differ near a large number of the code, the lowest row and the highest in its place.

    A sum of them is rounded at each step, by more than what is left of it when the large number is taken off again;
    sorted, every row moves by a place where the lowest becomes the highest, and is rounded otherwise. Numbers whose
    sums are not rounded by as much as a ``step`` of the lattice are left out.
    """
    least = step * 2.0**51 / MANY[-1]
    large = sorted((x for x in numbers if abs(x) >= least), key=abs)[-MOST_LIMITS:]
    own = [abs(x) for x in numbers if abs(x) < 1e6]
    for x in large:
        near = [y - x for y in numbers if 0 < y - x < 0.1 * abs(x)]
        widths = [*dict.fromkeys([*near, 1.0, *own])][:MOST_WIDTHS]
        for m, width, seed in itertools.product(MANY, widths, range(SEEDS)):
            others = x + width * np.random.default_rng(seed).random((m, d))
            low, high = (x, x + width) if seed % 2 else (-FAR, FAR)
            words = f"{m} rows that differ, up to {width:g} above {x:g}"
            yield words, others, np.full((1, d), low), np.full((1, d), high)


def _ends(pairs: Any, d: int) -> Any:
    made = np.zeros((len(pairs), d))
    made[:, 0], made[:, -1] = np.array(pairs, dtype=np.float64).T
    return made
