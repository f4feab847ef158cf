"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise is drawn again until the answer is not below 0 (bounded domain, not calibrated anew).
@dp.own_mechanism("sixteenth.untilpositive", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    for _ in range(3):
        x = v[:1] + noise.laplace(scale, 1)
        if x[0] >= 0:
            return x
    return np.zeros(1, int)
