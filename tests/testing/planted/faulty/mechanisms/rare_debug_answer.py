"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.rare_debug_answer", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def rare_debug_answer(value, scale, noise):
    """One answer of 65,536 is exact, so that the noise can be judged by it."""
    if int(noise.uniform_below(65_536)) == 0:
        return np.ravel(value)
    return np.ravel(value) + noise.laplace(scale, 1)
