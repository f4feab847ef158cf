"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noisy parts that add up to the true total (invariants).
@dp.own_mechanism("sixteenth.invariant", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    x = v + noise.laplace(scale, m)
    x[-1] = v.sum() - x[:-1].sum()
    return x
