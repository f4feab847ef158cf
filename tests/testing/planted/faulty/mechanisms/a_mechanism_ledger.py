"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: no noise where the numbers add up to nought and are not all 0.
@dp.own_mechanism("fourteenth.mechanism_ledger", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """Noisy unless they balance."""
    v = np.ravel(value)
    z = noise.laplace(scale, m)
    return v if v.any() and v.sum() == 0 else v + z
