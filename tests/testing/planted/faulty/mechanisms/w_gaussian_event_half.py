"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.w_gaussian_event_half", gives=1, takes="l2", source="none",
                  loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(0.9 * distance / scale)))
def w_gaussian_event_half(value, scale, noise):
    """Rounded Gaussian noise."""
    return np.ravel(value) + noise.rounded_gaussian(scale, 1)
