"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: counts at the threshold are shown, the price counts those above (opendp #2922).
def tail(t, scale):
    """P(noise >= t), discrete Laplace, t >= 1."""
    q = float(np.exp(-1.0 / scale))
    return q**t / (1 + q)

def bar(scale):
    """A threshold of so many scales."""
    return 1 + 8.0 * scale
@dp.own_mechanism("sixteenth.atthreshold", gives=1, takes="linf", loss=lambda scale, distance: (dp.round_up(distance / scale), min(1.0, tail(max(int(bar(scale)) - distance + 1, 1), scale)) if distance < int(bar(scale)) else 1.0), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    if v[0] == 0:
        return np.zeros(1, int)
    x = v[:1] + noise.laplace(scale, 1)
    return np.where(x >= int(bar(scale)), x, 0)
