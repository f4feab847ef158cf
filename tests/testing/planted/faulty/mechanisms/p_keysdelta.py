"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: three keys with a threshold each, one key's price (a δ for all keys).
def tail(t, scale):
    """P(noise >= t), discrete Laplace, t >= 1."""
    q = float(np.exp(-1.0 / scale))
    return q**t / (1 + q)

def bar(scale):
    """A threshold of so many scales."""
    return 1 + 6.0 * scale
@dp.own_mechanism("sixteenth.keysdelta", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: (dp.round_up(distance / scale), min(1.0, tail(max(int(bar(scale)) - 1, 1), scale))), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    x = v + noise.laplace(scale, len(v))
    return np.where((v > 0) & (x >= int(bar(scale))), x, 0)
