"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("tenth.c_sampled", gives=1, takes="edits", source="Li, Qardaji, Su 2012, a row at a time", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * math.log1p(0.5 * math.expm1(min(1.0 / scale, 700.0))) * (1 + 1e-12))))
def fun(rows, scale, noise):
    """A sum of signs of half of the rows, with Laplace noise: amplified by sampling."""
    signs = np.sign(rows[:, 0]).astype(int)
    kept = noise.uniform_below(2, len(signs)) == 1 if len(signs) else np.zeros(0, dtype=bool)
    return np.array([int(signs[kept].sum())]) + noise.laplace(scale, 1)
