"""Coins of many sides: the sides on which a release does the same are one outcome, and are found by bisection.

A release that leaves its noise out once in 65,536 runs asks for a number below 65,536 and compares it with one. Not
every side is tried: what is done on each of some sides is compared, and between two that differ the border is searched.
What has too many pieces, such as a number that is turned into noise, is given up. Of two coins that are compared with
one another each is tried on the sides that belong to those of the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import numpy as np

MOST_PIECES, MOST_TRIES, AT_RANDOM = 12, 500, 24
MOST_LIMITS = 6


def sides_to_try(bound: int, numbers: Iterable[float] = ()) -> list[int]:
    """The ends, both sides of powers of 2 and 10 and of ``numbers``, from both ends, and some at random.

    Examples
    --------
    >>> sides_to_try(10**6, [655.0])[:6], 655 in sides_to_try(10**6, [655.0])
    ([0, 1, 2, 3, 9, 10], True)
    """
    near = [*(2**e for e in range(1, bound.bit_length(), 4)), *(10**e for e in range(1, 19)), *map(int, numbers)]
    around = [x + step for x in [0, bound // 2, *near] for step in (-1, 0, 1)]
    drawn = np.random.default_rng(0).random(AT_RANDOM) * bound
    every = {*around, *(bound - 1 - x for x in around), *(int(x) for x in drawn)}
    return sorted(x for x in every if 0 <= x < bound)


def beside(bound: int, others: Iterable[int], numbers: Iterable[float] = ()) -> set[int]:
    """Sides that a release may compare with those of other coins: the same, and with a number as sum or difference.

    Examples
    --------
    >>> sorted(beside(1000, [300], [512.0]))
    [212, 300, 700, 812]
    """
    limits = [bound, *(int(x) for x in numbers if 64 <= x <= 4 * bound)][:MOST_LIMITS]
    every = {side for x in others for c in limits for side in (x, c - x, c + x, x - c)}
    return {x for x in every if 0 <= x < bound}


def pieces(
    done: Callable[[int], bytes], bound: int, numbers: Iterable[float] = (), others: Iterable[int] = ()
) -> list[tuple[int, float]] | None:
    """A side of each piece with the piece's probability, the most probable first; None where there are too many.

    ``others`` are the sides of coins that are asked for before and after this one.

    Examples
    --------
    >>> [p for _, p in pieces(lambda side: b"bare" if side == 0 else b"noisy" if side < 5000 else b"more", 10_000)]
    [0.5, 0.4999, 0.0001]
    >>> pieces(lambda side: str(side % 7).encode(), 10**6) is None
    True
    """
    known: dict[int, bytes] = {}

    def at(side: int) -> bytes:
        if side not in known:
            known[side] = done(side)
        return known[side]

    numbers = list(numbers)
    tried = sorted({*sides_to_try(bound, numbers), *beside(bound, others, numbers)})
    for low, high in itertools.pairwise(tried):
        waiting = [(low, high)]
        while waiting:
            low, high = waiting.pop()  # noqa: PLW2901
            if at(low) != at(high) and high - low > 1:
                middle = (low + high) // 2
                waiting += [(low, middle), (middle, high)]
            if len(known) > MOST_TRIES or len(set(known.values())) > MOST_PIECES:
                return None
    counts: dict[bytes, int] = {}
    longest: dict[
        bytes, tuple[int, int]
    ] = {}  # a side like most of its piece: 0 and the like may be compared with none
    ordered = sorted(known)
    for low, high in itertools.pairwise([*ordered, bound]):  # the same is done from each side to the next that is known
        counts[known[low]] = counts.get(known[low], 0) + high - low
        longest[known[low]] = max(longest.get(known[low], (0, 0)), (high - low, low))
    return sorted(((longest[key][1], count / bound) for key, count in counts.items()), key=lambda piece: -piece[1])
