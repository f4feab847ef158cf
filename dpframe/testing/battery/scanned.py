"""Values that a mechanism or a mask treats in a way of their own, found by what it does to thousands of them.

Each is given the same noise. What most of them have done to them is the rule; the few others (a prime without noise,
whole numbers that stay whole) are where its law is then looked at. Nothing is refuted by this alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from dpframe.testing.battery import rare
from dpframe.testing.battery.clocks import spent

EACH, MOST, SMALL = 24, 6, 400
"""Numbers of a kind, odd ones that are told, and up to which every whole number is tried."""
CODES = 1e16
"""Larger than what is a code: numbers of rows."""
RULE, DIGITS, FIRST = 0.6, 9, 40
"""The share of values that make a rule, digits in which they agree; if the first few are all unlike, there is none."""


def wholes(own: Sequence[float]) -> list[int]:
    """Whole numbers of many kinds: all small ones, a few of each kind, multiples of the code's own, some below 0."""
    made = [*range(SMALL)]
    for kind in rare.whole():
        made += [int(x) for x in kind[:: max(1, len(kind) // EACH)]]
    near = [int(abs(x)) for x in own if x == int(x) and 1 < abs(x) < 2**31][:6]
    made += [a * k + b for a in near for b in (0, *near) for k in (1, 2, 3, 11, 1000)]
    return [*dict.fromkeys([*made, *(-x for x in made[1:SMALL:5])])]


def vectors(d: int, own: Sequence[float], largest: float = 1e9) -> list[Any]:
    """Vectors of d numbers of many kinds, at most so large; rows whose numbers are bound to each other among them."""
    rng = np.random.default_rng(d)
    kinds = [rare.thinned(x, EACH) for x in (*rare.whole(), *rare.fractions())]
    numbers = np.concatenate([x for x in kinds if np.abs(x).max() < largest])
    plain = np.round(rng.standard_normal((len(numbers), d)) * 64) / 8 + 0.03
    first = plain.copy()
    first[:, 0] = numbers
    every = np.stack([np.roll(numbers, j) for j in range(d)], axis=1)
    known = np.array([s * x for x in own for s in (1.0, -1.0, 2.0, 1.25) if abs(x) < 1e9][:48]).reshape(-1, 1)
    made = [plain, first, every, known * np.ones(d), known * np.eye(d)[0] + 0.03]
    if d > 1:
        made += [rare.thinned(x, EACH) for x in rare.bound(d, own)]
    every = np.concatenate(made)
    return [*every[rng.permutation(len(every))]]


def odd(done: Callable[[Any], Any], values: Iterable[Any], seconds: float) -> list[Any]:
    """The few of these values to which is not done what is done to most; one of each way of being odd first.

    ``done`` gives numbers that are the same for all that the rule is followed for.

    Examples
    --------
    >>> odd(lambda x: [1.0 if x % 97 == 13 else 7.0], range(1000), 1.0)
    [13, 110, 207, 304, 401, 498]
    """
    end, told, seen = spent() + seconds, list[tuple[Any, Any]](), Counter[Any]()
    for value in values:
        if spent() > end or (len(told) == FIRST and len(seen) > FIRST * RULE):
            break
        key = _key(done(value))
        told.append((value, key))
        seen[key] += 1
    if len(told) < FIRST:
        return []
    rule, count = seen.most_common(1)[0]
    others = [(value, key) for value, key in told if key != rule]
    if count < RULE * len(told) or not others:
        return []
    ways = dict[Any, list[Any]]()
    for value, key in others:
        ways.setdefault(key, []).append(value)
    rounds = max(map(len, ways.values()))
    return [found[i] for i in range(rounds) for found in ways.values() if i < len(found)][:MOST]


def _key(made: Any) -> Any:
    if made is None:
        return None
    numbers = np.asarray(made, dtype=np.float64).ravel()
    return tuple(float(f"{x:.{DIGITS}g}") if math.isfinite(x) else None for x in numbers.tolist())
