"""Tables of equal rows whose totals come to where a type of numbers ends, and how many rows a statistic can take."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dpframe.testing.battery.case import Case
from dpframe.testing.battery.clocks import spent
from dpframe.testing.battery.own_inputs import of_table

MOST_ROWS, MOST_FULL, MOST_NEAR = 20_000, 70_000, 12
"""Rows of tables, and of those that fill a type, where that takes a moment; numbers of the code."""
DEAR, SCOUT, FEW = 6.0, 2000, 512
"""CPU seconds that tables of one size may take, guessed from smaller ones; rows that tell what more of them take."""
SINGLE, BEYOND = 2.0**24 + 1, 4
ENDS = (2.0**7, 2.0**8, 2.0**15, 2.0**16, SINGLE, 2.0**31, 2.0**32)
"""Totals at which types of numbers end; single precision only rounds from there on: so many rows are tried."""


def full(d: int, own: Sequence[float]) -> Iterable[tuple[str, Any, Any, Any]]:
    """Names, so many rows of a number of the code that one more passes the end of a type, that one, and another."""
    for x, end in itertools.product([c for c in own if abs(c) >= 2][-MOST_NEAR:], ENDS):
        full = math.ceil(end / abs(x)) - 1
        for m in range(full, full + (BEYOND if end == SINGLE else 1)):  # there they end, here some are rounded
            if 0 < m <= MOST_FULL:
                yield f"{m} rows of {x:g}", np.full((m, d), x), np.full((1, d), x), np.zeros((1, d))


def reach(case: Case, most: int, seconds: float) -> int:
    """Rows, up to so many, that a table may have before it takes long: sizes are tried upwards, guessed as squares.

    More than :data:`MOST_ROWS` only where they take a moment.
    """
    d, m, took = int(getattr(case.domains[0], "d", 1)), SCOUT, 0.0
    while m < min(most, MOST_ROWS):
        began = spent()
        of_table(case, np.ones((m, d)))
        took = spent() - began
        if 16 * took > DEAR * max(seconds, 1.0):
            return m
        m *= 4
    return most if took * (4 * MOST_FULL / m) ** 2 < seconds else min(most, MOST_ROWS)


def affordable(case: Case, d: int, seconds: float) -> float:
    """Different rows of a table that takes so many seconds at most, guessed by the power with which two sizes grow."""
    took = []
    for m in (FEW, 4 * FEW):
        began = spent()
        of_table(case, np.arange(float(m))[:, None] + np.arange(d))
        took.append(max(spent() - began, 1e-6))
        if took[0] > seconds / 70:
            return 0.0
    power = min(max(math.log(took[1] / took[0], 4), 1.0), 3.0)
    return 4 * FEW * float(max(seconds / took[1], 1e-9) ** (1 / power))
