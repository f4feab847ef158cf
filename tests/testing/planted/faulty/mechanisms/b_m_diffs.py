"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the sum of noisy numbers, and each with the same noise.
@dp.own_mechanism("fifteenth.m_diffs", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 2})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    z = noise.laplace(scale, 1)
    return np.array([v[0] + z[0], v[1] + z[0]])
