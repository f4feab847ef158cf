"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# What is left to the limit, as a share of it.
@dp.post_function("nineteenth.p_derived_pole", gives=lambda counts: dp.Vector(1))
def p_derived_pole(counts):
    """What is left to the limit, as a share of it."""
    yearly = 12 * int(np.clip(np.nan_to_num(counts[0]), 0, 1e6))
    return np.array([1.0 / (yearly - 50_004)])
