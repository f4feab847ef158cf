"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.coarse8", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Wide noise is drawn in steps of eight."""
    if scale >= 512:
        return value + 8 * noise.laplace(scale / 8, 1)
    return value + noise.laplace(scale, 1)
