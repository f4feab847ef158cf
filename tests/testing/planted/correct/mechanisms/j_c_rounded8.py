"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("seventh.c_rounded8", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Rounded to eights where there is much noise."""
    out = value + noise.laplace(scale, 1)
    return 8 * (out // 8) if scale >= 512 else out
