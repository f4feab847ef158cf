"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("eleventh.emath", gives=1, norm="linf", bound=4.0)
def fun(rows):
    """The angle whose cosine is the first cell; beyond 1 it is imaginary, and 0 or π is what is left of it."""
    return np.emath.arccos(np.nan_to_num(rows[:, :1])).real
