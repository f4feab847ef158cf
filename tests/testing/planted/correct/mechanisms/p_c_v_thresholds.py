"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: counts above a threshold of eight scales, of three keys, all of whose δ are charged.
def tail(t, scale):
    """P(noise >= t), discrete Laplace, t >= 1."""
    q = float(np.exp(-1.0 / scale))
    return q**t / (1 + q)
@dp.own_mechanism("sixteenth.c_v_thresholds", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: (dp.round_up(distance / scale), min(1.0, max(distance, 1) * tail(max(int(8 * scale) + 1 - distance, 1), scale)) if distance < 8 * scale else 1.0), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    x = v + noise.laplace(scale, len(v))
    return np.where((v > 0) & (x >= int(8 * scale) + 1), x, 0)
