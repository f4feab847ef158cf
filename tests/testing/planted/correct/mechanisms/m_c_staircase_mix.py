"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: Laplace of one of two widths by a public coin, charged the narrower.
@dp.own_mechanism("twelfth.c_staircase_mix", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="a mixture of laws that cost no more each; the coin is not told")
def fun(value, scale, noise):
    """Laplace noise, twice as wide in half of the cases."""
    wide = 2.0 if int(noise.uniform_below(2)) else 1.0
    return np.asarray(value) + noise.laplace(scale * wide, 1)
