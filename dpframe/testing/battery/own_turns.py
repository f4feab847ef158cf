"""Neighbours on both sides of where a number gets one more digit, decimal or binary, or changes its sign.

A function that rounds to so many digits, or chooses noise by the length of a number, changes there, and no number in
its code need say where. All such pairs are released with the same few streams; where not the same is done to both, the
law or the lattice of the two is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.testing.battery.clocks import spent

DECIMAL, BINARY = range(1, 16), range(3, 46)
STREAMS, SECONDS, MOST = (7, 11, 13), 0.25, 5
"""With which pairs are looked at, for so long, and of those to which not the same is done so many are told."""


def turns() -> list[int]:
    """Where numbers get one more digit: values one step below, from the smallest on, and −1.

    Examples
    --------
    >>> turns()[:6]
    [-1, 7, 9, 15, 31, 63]
    """
    ends = {10**k - 1 for k in DECIMAL} | {2**k - 1 for k in BINARY}
    return [-1, *sorted(ends), *sorted((-(10**k) for k in DECIMAL[:9]), reverse=True)]


def pairs(size: int) -> Iterator[tuple[str, Any, Any]]:
    """Words, a value and a move of one step over each turn: of all numbers, and of the first among zeros."""
    first, every = np.zeros(size, dtype=np.int64), np.ones(size, dtype=np.int64)
    first[0] = 1
    for at in turns():
        yield f"all up from {at}", at * every, every
        if size > 1:
            yield f"the first up from {at}, the others 0", at * first, first


def odd(operation: Mechanism, domain: Any, shape: tuple[int, ...], scale: float) -> Iterator[tuple[str, Any, Any]]:
    """The few of these pairs to which not the same is done: the next value's release is no release one step further."""
    end, told = spent() + SECONDS, 0
    for words, start, move in pairs(int(np.prod(shape))):
        if told == MOST or spent() > end:
            return
        values = [Exact(x.reshape(shape)) for x in (start, start + move)]
        for seed in STREAMS:
            try:
                made = [operation.release(v, {"scale": scale}, domain, SeededSource(seed)) for v in values]
                one, two = (np.asarray(y, dtype=np.float64).ravel() for y in made)
            except (DpframeError, TypeError, ValueError):
                break
            if one.shape != move.shape or not np.array_equal(two - one, move):
                told += one.shape == move.shape  # what is no value with noise has the other starts
                if one.shape == move.shape:
                    yield words, start, move
                break
