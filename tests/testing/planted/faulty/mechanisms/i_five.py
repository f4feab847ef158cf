"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("ninth.five", gives=lambda m: m, takes="l2", source="none", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Gaussian noise on each number."""
    return np.asarray(value) + noise.rounded_gaussian(scale / 1.05, m)
