"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.count_noisy_above", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """How many noisy numbers are above 2."""
    v = np.ravel(value)
    return [int((v + noise.laplace(scale, len(v)) > 2).sum())]
