"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("eighth.fixed_subsample", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(math.log1p(0.5 * math.expm1(min((removed + added) / scale, 700.0))))), source="Balle and others")
def f(rows, scale, noise):
    """Noisy count of positive rows in a half."""
    return 2 * (np.array([float((rows[::2, 0] > 0).sum())]) + noise.laplace(scale, 1))
