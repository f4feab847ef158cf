"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.d_noise_coarse_after", gives=1, takes="l1", source="here",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def d_noise_coarse_after(value, scale, noise):
    """Noise, then the nearest multiple of ten, and never above a thousand."""
    return np.minimum(10 * ((np.ravel(value) + noise.laplace(scale, 1) + 5) // 10), 1000)
