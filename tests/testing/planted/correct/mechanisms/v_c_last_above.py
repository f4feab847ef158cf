"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the last score above a bar: a sparse vector read from the end.
@dp.own_mechanism("thirteenth.c_last_above", gives=lambda m: dp.Index(m + 1), takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="Dwork, Roth, Algorithm 1, from the end", examples={"m": 3})
def fun(scores, scale, noise, *, m):
    """The last score that passes, or m."""
    bar = 5 + int(noise.laplace(scale))
    passed = np.asarray(scores)[:m] + noise.laplace(2 * scale, m) >= bar
    return int(np.flatnonzero(passed)[-1]) if passed.any() else m
