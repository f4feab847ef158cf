"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.coin_after_noise", gives=1, takes="l1", source="none",
                  loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def coin_after_noise(value, scale, noise):
    """Noise, left out again where a number below a million is under 13."""
    noisy = np.ravel(value) + noise.laplace(scale, 1)
    return np.ravel(value) if int(noise.uniform_below(1_000_000)) < 13 else noisy
