"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.answer_halved", gives=2, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(2 * (removed + added) / scale * (1 + 1e-12))), source="me")
def f(rows, scale, noise):
    """Sum of a column in sixteenths, and count, each paid."""
    s = float(np.floor(16 * np.clip(rows[:, 0], 0, 1)).sum()) if len(rows) else 0.0
    return np.array([s, float(len(rows))]) + np.array([noise.laplace(16 * scale), noise.laplace(scale)])
