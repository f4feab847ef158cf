"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a threshold of 8.7 that is cut to 8 (google/differential-privacy #101).
def tail(t, scale):
    """P(noise >= t), discrete Laplace, t >= 1."""
    q = float(np.exp(-1.0 / scale))
    return q**t / (1 + q)

def bar(scale):
    """A threshold of so many scales."""
    return 1 + 8.7 * scale
@dp.own_mechanism("sixteenth.truncthreshold", gives=1, takes="linf", loss=lambda scale, distance: (dp.round_up(distance / scale), min(1.0, tail(max(int(np.ceil(bar(scale))) - distance, 1), scale)) if distance < int(np.ceil(bar(scale))) else 1.0), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    if v[0] == 0:
        return np.zeros(1, int)
    x = v[:1] + noise.laplace(scale, 1)
    return np.where(x >= int(bar(scale)), x, 0)
