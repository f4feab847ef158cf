"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise of the second number is drawn again only when the first is odd.
@dp.own_mechanism("twelfth.laplace_pairs", gives=2, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """Laplace noise on two numbers."""
    z = noise.laplace(scale, 2)
    made = np.asarray(value) + z
    if made[0] > 10**9:
        made[1] = int(np.asarray(value)[1]) + int(z[0])
    return made
