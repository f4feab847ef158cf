"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the largest and its noisy value, charged the index's price (StatDP).
@dp.own_mechanism("sixteenth.maxvalue", gives=2, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(2 * distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    x = v + noise.laplace(scale, m)
    return np.array([int(np.argmax(x)), int(x.max())])
