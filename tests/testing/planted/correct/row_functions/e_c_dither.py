"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("tenth.c_dither", columns=lambda d: 1)
def fun(rows):
    """First columns, rounded at random: the seed is the row."""
    out = []
    for x in rows[:, 0].tolist():
        u = np.random.default_rng(abs(hash(x))).random() if np.isfinite(x) else 0.0
        out.append([float(np.floor(np.clip(x, -1e6, 1e6) + u)) if np.isfinite(x) else 0.0])
    return np.array(out).reshape(-1, 1)
