"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.w_uniform_noise", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: (0.0, min(1.0, dp.round_up(distance / (4 * np.ceil(scale) + 2)))))
def w_uniform_noise(value, scale, noise):
    """Uniform noise on -w..w with w the scale: delta is half of distance/(2w+1)."""
    w = int(np.ceil(scale))
    return np.ravel(value) + noise.uniform_below(2 * w + 1, 1) - w
