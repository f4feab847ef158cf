"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: randomised response by a coin of a hundred sides, rounded.
@dp.own_mechanism("sixteenth.hundredths", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up((distance > 0) / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    k = int(v[0]) % 2
    keep = int(noise.uniform_below(100, 1)[0]) < round(100 / (1 + float(np.exp(-1 / scale))))
    return np.array([k if keep else 1 - k])
