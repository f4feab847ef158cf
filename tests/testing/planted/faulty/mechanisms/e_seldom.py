"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.seldom", gives=1, takes="l1", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(0.64 * distance / scale)))
def fun(value, scale, noise):
    """An answer in 63 of 100 runs, at its price on average."""
    answer = not bool(noise.bernoulli_exp([1.0])[0])
    return np.asarray(value) + noise.laplace(scale, 1) if answer else np.zeros(1, dtype=int)
