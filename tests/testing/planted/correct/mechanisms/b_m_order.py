"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noisy counts in the order of the true ones: noise on sorted counts, and sorting is a contraction.
@dp.own_mechanism("fifteenth.m_order", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    o = np.argsort(v, kind='stable')
    return (v + noise.laplace(scale, m))[o]
