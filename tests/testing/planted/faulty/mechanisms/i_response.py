"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("ninth.response", gives=dp.Index(2), takes="linf", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(max(distance, 1.0) / scale)))
def fun(value, scale, noise):
    """Whether a count is odd, by randomised response."""
    odd = int(np.ravel(value)[0]) % 2
    return odd ^ int(np.ravel(noise.bernoulli_exp([1.0 / scale]))[0])
