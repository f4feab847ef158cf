"""Noise that many numbers share, or that only some whole numbers are: what no law of few numbers with little shows.

A block of noise that is used again for later numbers tells their differences. Noise that is kept in single precision
is even where it is large, so that a release tells whether its value is. A few releases show either.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.own.base import shape_of
from dpframe.kernel.owned import Own
from dpframe.proof.spaces import Counts
from dpframe.testing.battery import sizes
from dpframe.testing.battery.clocks import spent
from dpframe.testing.battery.own_parameters import code_of
from dpframe.testing.battery.own_sizes import sized

MANY, MOST, MOST_OWN, MORE = (600, 1100), 70_000, 2, 300
"""How many numbers are released together: more than two buffers of small numbers hold, and than its code speaks of."""
SHARING, DRAWS, MOST_ALIKE = 2.0**34 * 1.1, 3, 20
"""The noise of these, releases, and so many that have another's noise in each before that counts.

Of 70,000 numbers 0.03 have by chance, so that it counts with a chance of 1e-45 in one release.
"""
SECONDS = 3.0
"""Of CPU for so many numbers at most, guessed from fewer."""
MOVED = 10**6 + 3
"""By how much all values are moved together."""
LARGE, EVEN = (2.0**30 * 1.1, 2.0**42 * 1.1), 50
"""Noise that single precision and double hold in steps, and how many even ones in a row count: by chance 1e-15."""


def attack_shared(known: Own, operation: Mechanism, domain: Any) -> tuple[str, dict[str, Any]]:
    """What refutes it, in words and numbers; empty where nothing does."""
    for scale in LARGE:
        step = _step(operation, domain, scale)
        if step > 1:
            words = f"at scale {scale:g} what is added to a value is a multiple of {step}, which tells its remainder"
            return words, {"scale": scale}
    own = [int(c) + MORE for c in sizes.constants(code_of(operation))[::-1] if MANY[0] <= c <= MOST][:MOST_OWN]
    each = 0.0
    for m, made in sized(known, operation, (*MANY, *own)):
        if each * m > SECONDS:  # it takes too long for so many
            continue
        began = spent()
        every = [_added(made, Counts(m), SHARING, seed, moved=MOVED) for seed in range(DRAWS)]
        if all(noise is not None and len({*noise.tolist()}) < np.count_nonzero(noise) - MOST_ALIKE for noise in every):
            words = f"of {m} numbers many have the noise of others, whose differences to them are released"
            return words, {"scale": SHARING}
        each = (spent() - began) / m
    return "", {}


def _step(operation: Mechanism, domain: Any, scale: float) -> int:
    """The largest number that all that is added is a multiple of; 1 where that is not known."""
    step, seen = 0, 0
    for seed in range(EVEN):
        noise = _added(operation, domain, scale, seed)
        if noise is None:
            return 1
        step, seen = math.gcd(step, *map(int, noise)), seen + len(noise)
        if step == 1 or seen >= EVEN:
            break
    return step


def _added(operation: Mechanism, domain: Any, scale: float, seed: int, *, moved: int = 0) -> Any:
    """What is added to values of which no two are equal; None where a release is no values with something added.

    With the same words of noise the same is added to values ``moved`` so far, or it is no noise: a sign, say, which
    makes what seems to be added to two values the same where these are one apart.
    """
    rng = np.random.default_rng(seed)
    shape = shape_of(domain)
    size = int(np.prod(shape))
    value = rng.permutation(4 * size)[:size].astype(np.int64) + int(rng.integers(2))

    def released(given: Any) -> Any:
        return np.asarray(operation.release(Exact(given.reshape(shape)), {"scale": scale}, domain, SeededSource(seed)))

    with contextlib.suppress(Exception):  # it need not take such noise, or so many
        made = released(value)
        if moved and not np.array_equal(released(value + moved), made + moved):
            return None
        numbers = made.ravel()
        if len(numbers) == size and np.isfinite(numbers).all() and (np.abs(numbers) < 2.0**53).all():
            noise = numbers.astype(np.float64) - value
            return noise if (noise == np.rint(noise)).all() else None
    return None
