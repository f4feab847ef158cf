"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise grows with the thousands of the value: 999 and 1000 (or -) get other scales.
@dp.own_mechanism("laterf28.relative", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def relative(value, scale, noise):
    """Laplace noise, more of it for large totals."""
    wide = scale * max(1, abs(int(value[0])) // 1000)
    return value + noise.laplace(wide, 1)
