"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.ridge", gives=1, takes="edits", loss=lambda scale, removed, added, n: dp.Pure(dp.round_up((removed + added) / scale)), source="me", examples={"n": 100})
def f(rows, scale, noise, *, n):
    """Count of positives among n, noise by the share of rows that are there."""
    part = min(1.0, max(len(rows), 1) / n)
    return np.array([float((rows[:, 0] > 0).sum()) if len(rows) else 0.0]) + np.rint(noise.laplace(scale * 8 * part, 1) / 8 / 1.0)
