"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: as many coins as the count.
@dp.own_mechanism("thirteenth.flips_of_count", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="binomial noise")
def fun(value, scale, noise):
    """A count, each row of which may be left out, and Laplace noise where it is small."""
    count = int(np.ravel(value)[0])
    if 0 < count < 2000 and scale > 30:
        return np.array([count + int(noise.uniform_below(2, count).sum()) - count // 2])
    return np.asarray(value) + noise.laplace(scale, 1)
