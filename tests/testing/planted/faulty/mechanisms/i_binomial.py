"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("ninth.binomial", gives=1, takes="linf", source="none", loss=lambda scale, distance: dp.GaussianEvent(dp.round_up(1.01 * distance / scale)))
def fun(value, scale, noise):
    """Noise of a centred sum of coins."""
    number = 2 * int(np.ceil(2 * scale * scale))
    return np.asarray(value) + int(np.sum(noise.uniform_below(2, number))) - number // 2
