"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.group_mechanism", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale * (1 + 1e-12))), source="me")
def f(rows, scale, noise):
    """Noisy count of positive rows."""
    return np.array([float((rows[:, 0] > 0).sum()) if len(rows) else 0.0]) + noise.laplace(scale, 1)
