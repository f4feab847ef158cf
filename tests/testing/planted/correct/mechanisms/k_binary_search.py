"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.binary_search", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(6 * (removed + added) / scale * (1 + 1e-12))), source="me")
def f(rows, scale, noise):
    """Median in 0..63."""
    x = np.clip(np.floor(rows[:, 0]), 0, 63) if len(rows) else np.zeros(0)
    low, high = 0, 64
    for _ in range(6):
        mid = (low + high) // 2
        if 2 * float((x < mid).sum()) - len(x) + 2 * noise.laplace(scale) > 0:
            high = mid
        else:
            low = mid
    return np.array([float(low)])
