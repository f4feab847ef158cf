"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: randomised response by a categorical draw.
@dp.own_mechanism("fourteenth.c_rr", gives=dp.Index(2), takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(1.0 / scale)), source="none")
def f(value, scale, noise):
    """A bit by its odds."""
    bit = int(np.ravel(value)[0] > 0)
    return int(np.ravel(noise.categorical_exp(np.array([1 - bit, bit]), 1.0 / scale))[0])
