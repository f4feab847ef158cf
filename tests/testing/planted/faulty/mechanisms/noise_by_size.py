"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.noise_by_size", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def noise_by_size(value, scale, noise):
    """At least the noise that is needed; twice as much where counts are large, which hurts nobody there."""
    wide = 2 * scale if abs(int(np.ravel(value)[0])) > 100 else scale
    return np.ravel(value) + noise.laplace(wide, 1)
