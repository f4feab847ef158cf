"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the two largest by one draw of noise, charged one choice (one-shot top k).
@dp.own_mechanism("sixteenth.toptwo", gives=2, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    return np.argsort(-(v + noise.geometric(scale, m)), kind='stable')[:2].astype(int)
