"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A memo keyed by the exact number.
import functools


@functools.lru_cache(maxsize=100)
def digits(number):
    return float(sum(int(c) for c in f"{abs(number):.6e}" if c.isdigit())) if np.isfinite(number) else 0.0


@dp.own_contribution("laterc11.digits", gives=1, norm="linf", bound=60.0, nonnegative=True)
def digit_sum(rows):
    """Sum of the first digits of the first column."""
    return np.array([digits(float(v)) for v in rows[:, 0]], dtype=float)[:, None]
