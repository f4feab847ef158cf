"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Mechanism: the first half of the rows is no sample.
@dp.own_mechanism("thirteenth.first_half", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(math.log1p(0.5 * math.expm1(min(2 * max(removed, added) / scale, 700.0))))), source="subsampling")
def fun(rows, scale, noise):
    """A noisy count of rows above 0 in the first half."""
    half = rows[: (len(rows) + 1) // 2, 0]
    return np.array([float(2 * (half > 0).sum()) + float(noise.laplace(scale))])
