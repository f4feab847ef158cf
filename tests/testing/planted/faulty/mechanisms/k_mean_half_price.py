"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.mean_half_price", gives=2, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="me")
def f(rows, scale, noise):
    """Sum of a column in [0, 1] in sixteenths, and count."""
    s = float(np.floor(16 * np.clip(rows[:, 0], 0, 1)).sum()) if len(rows) else 0.0
    return np.array([s, float(len(rows))]) + np.array([noise.laplace(16 * scale), noise.laplace(scale)])
