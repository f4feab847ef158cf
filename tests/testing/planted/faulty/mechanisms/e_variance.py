"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.variance", gives=1, takes="linf", source="none", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance * distance / (4.0 * scale * scale))))
def fun(value, scale, noise):
    """Laplace noise, concentrated: the squared distance over twice the variance."""
    return np.asarray(value) + noise.laplace(scale, 1)
