"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: the sign and the exponent of each cell.
@dp.own_transform("twelfth.c_transform_clip", columns=2)
def fun(rows):
    """Mantissa and exponent of the first column."""
    mantissa, exponent = np.frexp(rows[:, 0])
    return np.stack([mantissa, exponent.astype(float)], axis=1)
