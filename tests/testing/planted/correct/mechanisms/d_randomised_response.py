"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.d_randomised_response", gives=lambda: dp.Index(2), takes="linf", source="Warner 1965",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(float(np.log(3.0)))))
def d_randomised_response(value, scale, noise):
    """Whether the first number is above 0, told right for three quarters of the numbers below a million."""
    return int((np.ravel(value)[0] > 0) ^ (int(noise.uniform_below(1_000_000)) >= 750_000))
