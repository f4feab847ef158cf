"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Mechanism: rows drawn with replacement, charged as a sample without.
@dp.own_mechanism("thirteenth.with_replacement", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(math.log1p(0.25 * math.expm1(min(max(removed, added) / scale, 700.0))))), source="subsampling")
def fun(rows, scale, noise):
    """A noisy count of a quarter of the rows."""
    m = len(rows)
    if not m:
        return np.array([int(noise.laplace(scale))], dtype=float)
    chosen = rows[noise.uniform_below(m, max(1, m // 4)), 0]
    return np.array([float((np.ravel(chosen) > 0).sum()) + float(noise.laplace(scale))])
