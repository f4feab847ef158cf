"""Coins of many sides: the sides on which a release does the same are one outcome, and are found by bisection.

A release that leaves its noise out once in 65,536 runs asks for a number below 65,536 and compares it with one. Not
every side is tried: what is done on each of some sides is compared, and between two that differ the border is searched.
Coins of one run are looked at together: what is done given a side of the first has a probability over the sides of the
second, which for a side between two that were tried is taken to lie between theirs. Products, sums, orders and extremes
are like this. What is left is missing from the law. What has too many pieces, such as a number that is turned into
noise, is given up.
"""

from __future__ import annotations

import contextlib
import heapq
import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import attrs
import numpy as np

MOST_PIECES, AT_RANDOM = 12, 24
MOST_LIMITS = 6
MOST_CHANGES, NARROW = 0.2, 1000
"""Part of the first sides that do otherwise than the next; and a side at random is never in so small a part of all."""
MOST_SIDES = {1: (500,), 2: (26, 40), 3: (8, 8, 20)}
"""Sides that are tried of each of so many coins."""
MOST_KNOWN = 2
"""Sides that are told with which numbers in the code are combined."""
Shares: TypeAlias = dict[bytes, tuple[float, tuple[int, ...]]]
"""What is done, with a lower bound on its probability and the sides of an example."""


def at_random(bound: int) -> list[int]:
    """The same sides at random each time."""
    return [int(x) for x in np.random.default_rng(0).random(AT_RANDOM) * bound]


def sides_to_try(bound: int, numbers: Iterable[float] = ()) -> list[int]:
    """The ends, both sides of powers of 2 and 10 and of ``numbers``, from both ends, and some at random.

    Examples
    --------
    >>> sides_to_try(10**6, [655.0])[:6], 655 in sides_to_try(10**6, [655.0])
    ([0, 1, 2, 3, 9, 10], True)
    """
    near = [*(2**e for e in range(1, bound.bit_length(), 4)), *(10**e for e in range(1, 19)), *map(int, numbers)]
    around = [x + step for x in [0, bound // 2, *near] for step in (-1, 0, 1)]
    every = {*around, *(bound - 1 - x for x in around), *at_random(bound)}
    return sorted(x for x in every if 0 <= x < bound)


def few_sides(bound: int, numbers: Iterable[float] = ()) -> list[int]:
    """The ends, powers of 4 from both, eighths, ``numbers`` from both, and a few at random.

    Examples
    --------
    >>> few_sides(1000, [300.0])[:12]
    [0, 1, 3, 4, 16, 40, 64, 124, 125, 249, 250, 256]
    """
    near = [int(v) for v in numbers] + [1, 3, *(4**e for e in range(1, bound.bit_length() // 2 + 1))]
    eighths = [k * bound // 8 + step for k in range(9) for step in (-1, 0)]
    every = {0, bound - 1, bound // 3, *near, *(bound - 1 - x for x in near), *eighths, *at_random(bound)[:4]}
    return sorted(x for x in every if 0 <= x < bound)


def beside(bound: int, others: Iterable[int], numbers: Iterable[float] = ()) -> set[int]:
    """Sides that a release may compare with those of other coins: with a number as sum, difference, product.

    Examples
    --------
    >>> sorted(beside(1000, [300], [512.0]))
    [1, 3, 150, 212, 299, 300, 301, 600, 700, 812]
    """
    limits = [bound, *(int(x) for x in numbers if 64 <= x <= 4 * bound)][:MOST_LIMITS]
    every = {side for x in others for c in limits for side in (x, c - x, c + x, x - c, x ^ c if c != bound else x)}
    every |= {side for x in others for side in (2 * x, x // 2, x - 1, x + 1)}
    every |= {c // x for x in others if x > 0 for c in limits}
    return {x for x in every if 0 <= x < bound}


Look: TypeAlias = Callable[[tuple[int, ...]], "bytes | int"]
"""What is done on these sides of the first coins, or the bound of the next one."""


def pieces(
    look: Look, bound: int, numbers: Sequence[float] = (), others: Sequence[int] = (), *, second: bool = False
) -> list[tuple[tuple[int, ...], float]] | None:
    """Sides of the coins for each piece, with its probability, most probable first; None where they are too many.

    ``others`` are the sides that coins before and after have; of several coins only their own are taken. ``second``
    takes other examples of the pieces, by which those of the first call can be checked.

    Examples
    --------
    >>> [p for _, p in pieces(lambda s: b"bare" if s[0] == 0 else b"noisy" if s[0] < 5000 else b"more", 10_000)]
    [0.5, 0.4999, 0.0001]
    >>> pieces(lambda s: str(s[0] % 7).encode(), 10**6) is None
    True
    >>> [p for _, p in pieces(lambda s: b"noisy" if s[0] != 7 else 64 if len(s) == 1 else b"other", 64)]
    [0.984375, 0.015625]
    >>> two = pieces(lambda s: 64 if len(s) == 1 else b"less" if s[0] < s[1] else b"not", 64)
    >>> [round(p, 4) for _, p in two], [round(sum(a < b for a in range(64) for b in range(64)) / 64**2, 4)]
    ([0.5046, 0.489], [0.4922])
    """
    bounds = [bound]
    while isinstance(more := look(tuple(b // 3 for b in bounds)), int):
        bounds.append(more)
    found = None
    for count in range(len(bounds), max(MOST_SIDES) + 1):
        asked = list(others) if count == 1 else []
        with contextlib.suppress(_OneMore):
            found = _Coin(look, bound, numbers, asked, (), MOST_SIDES[count], second).shares()
            break
    if not found:
        return None
    return sorted(((sides, share) for share, sides in found.values()), key=lambda piece: -piece[1])


class _OneMore(Exception):
    """On some sides one coin more is tossed."""


@attrs.define
class _Coin:
    """A coin after others whose sides are told: what is done on each of its sides that were looked at."""

    look: Look
    bound: int
    numbers: Sequence[float]
    others: list[int]
    told: tuple[int, ...]
    most: tuple[int, ...]
    second: bool
    known: dict[int, Shares] = attrs.Factory(dict)
    kinds: set[bytes] = attrs.Factory(set)

    def at(self, side: int) -> bool:
        """Look at a side; whether there still are few pieces."""
        if side in self.known:
            return True
        sides = (*self.told, side)
        done = self.look(sides)
        if isinstance(done, bytes):
            self.known[side] = {done: (1.0, sides)}
        elif len(self.most) == 1:
            raise _OneMore
        else:
            rest = ([*self.others, side], sides, self.most[1:], self.second)
            inner = _Coin(self.look, done, self.numbers, *rest).shares()
            if inner is None:
                return False
            self.known[side] = inner
        self.kinds.update(self.known[side])
        return len(self.kinds) <= MOST_PIECES

    @property
    def alone(self) -> bool:
        """Whether nothing but this coin is tossed."""
        return len(self.most) == 1 and not self.told

    def expected(self) -> set[int]:
        """Sides that may be compared with those of other coins."""
        return beside(self.bound, self.others, self.numbers if len(self.told) < MOST_KNOWN else ())

    def tried(self) -> list[int]:
        """The sides to begin with."""
        start = sides_to_try(self.bound, self.numbers) if self.alone else few_sides(self.bound, self.numbers)
        found = sorted({*start, *self.expected()})
        if len(self.most) == 1:
            return found
        named = [x for x in map(int, self.numbers) if 0 <= x < self.bound][:MOST_LIMITS]
        return sorted({*found[:: max(1, len(found) // self.most[0])], *named, self.bound - 1})

    def shares(self) -> Shares | None:
        """What is done, over all sides: first where most is unknown."""
        tried = self.tried()
        if not all(self.at(side) for side in tried):
            return None
        waiting = [(-self.left(low, high), low, high) for low, high in itertools.pairwise(tried)]
        changes = sum(2 * -left > high - low - 1 for left, low, high in waiting if high - low > 1)
        if changes > max(6, MOST_CHANGES * len(tried)):
            return None
        heapq.heapify(waiting)
        while waiting[0][0] < 0 and len(self.known) < len(tried) + self.most[0]:
            _, low, high = heapq.heappop(waiting)
            middle = _between(low, high)
            if not self.at(middle):
                return None
            for one, other in ((low, middle), (middle, high)):
                heapq.heappush(waiting, (-self.left(one, other), one, other))
        if (self.alone and waiting[0][0] < 0) or self.scattered(tried):
            return None
        return _summed(self.known, self.bound, second=self.second)

    def scattered(self, tried: list[int]) -> bool:
        """Whether a side at random does otherwise than those about it: as a remainder does, which has no pieces."""
        ordered = sorted(self.known)
        for side in (set(at_random(self.bound)) & set(tried)) - self.expected():
            i = ordered.index(side)
            low, high = ordered[max(0, i - 1)], ordered[min(len(ordered) - 1, i + 1)]
            if (high - low) * NARROW < self.bound and low < side < high:
                own = self.known[side]
                if all(2 * self.common(own, self.known[x]) < 1 for x in (low, high)):
                    return True
        return False

    @staticmethod
    def common(one: Shares, other: Shares) -> float:
        """What two sides surely have in common."""
        return sum(min(one[key][0], other[key][0]) for key in one.keys() & other.keys())

    def left(self, low: int, high: int) -> float:
        """How many sides between two have no known piece."""
        return (high - low - 1) * max(0.0, 1.0 - self.common(self.known[low], self.known[high]))


def _between(low: int, high: int) -> int:
    """The middle; of an interval that spans several powers the middle power."""
    return int((low * high) ** 0.5) if low > 1 and high > 4 * low else (low + high) // 2


def _summed(known: dict[int, Shares], bound: int, *, second: bool) -> Shares:
    """Lower bounds over all sides, with an example of each piece from where it has most, or next to most."""
    total: dict[bytes, float] = {}
    examples: dict[bytes, list[tuple[float, tuple[int, ...]]]] = {}
    ordered = sorted(known)
    for low, high in itertools.pairwise([*ordered, bound]):
        after = known.get(high, {})
        for key, (share, sides) in known[low].items():
            between = (high - low - 1) * min(share, after[key][0] if key in after else 0.0)
            total[key] = total.get(key, 0.0) + share + between
            examples.setdefault(key, []).append((share + between, sides))
    return {
        key: (share / bound, sorted(examples[key], reverse=True)[:2][-1 if second else 0][1])
        for key, share in total.items()
    }
