"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.d_noise_more_by_coin", gives=1, takes="l1", source="here",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def d_noise_more_by_coin(value, scale, noise):
    """One answer of 65,536 gets its noise twice: a mixture of two that are each within the loss."""
    extra = noise.laplace(scale, 1) if int(noise.uniform_below(65_536)) == 0 else 0
    return np.ravel(value) + noise.laplace(scale, 1) + extra
