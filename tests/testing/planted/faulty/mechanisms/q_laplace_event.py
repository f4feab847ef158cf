"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eleventh.laplace_event", gives=1, takes="l1", source="Ghosh, Roughgarden, Sundararajan 2012", loss=lambda scale, distance: dp.LaplaceEvent(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise."""
    return np.asarray(value) + noise.laplace(scale, 1)
