"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A mean over rows with noise scaled by the actual number of rows, which the release thereby depends on.
@dp.own_mechanism("laterh67.mean", gives=1, takes="edits", source="Laplace", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)))
def mean(rows, scale, noise):
    """A thousand times the mean of rows in [0, 1], with noise for its sensitivity."""
    n = max(len(rows), 1)
    total = int(round(1000 * np.clip(rows[:, 0], 0, 1).sum() / n)) if len(rows) else 0
    return np.array([total + int(noise.laplace(1000 * scale / n))])
