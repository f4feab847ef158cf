"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eleventh.rounded_price", gives=1, takes="l1", source="Dwork and others 2006", loss=lambda scale, distance: dp.Pure(round(distance / scale, 2)))
def fun(value, scale, noise):
    """Laplace noise, at a price in hundredths."""
    return np.asarray(value) + noise.laplace(scale, 1)
