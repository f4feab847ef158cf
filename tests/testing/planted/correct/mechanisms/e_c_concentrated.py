"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.c_concentrated", gives=1, takes="linf", source="Bun, Steinke 2016, 3.3", loss=lambda scale, distance: dp.Concentrated(dp.round_up(distance * distance / (2.0 * scale * scale))))
def fun(value, scale, noise):
    """Laplace noise, concentrated."""
    return np.asarray(value) + noise.laplace(scale, 1)
