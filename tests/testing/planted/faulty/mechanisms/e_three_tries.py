"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.three_tries", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """A noisy count; three tries at one that is not negative."""
    for _ in range(3):
        out = np.asarray(value) + noise.laplace(scale, 1)
        if out[0] >= 0:
            break
    return out
