"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A mechanism that counts rows itself and adds discrete Laplace noise to every bin.
@dp.own_mechanism("laterc22.bins", gives=3, takes="edits", source="histogram", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)))
def bins(rows, scale, noise):
    """Rows below 0, from 0 to 1, above."""
    x = rows[:, 0] if len(rows) else np.zeros(0)
    counts = np.array([(x < 0).sum(), ((x >= 0) & (x <= 1)).sum(), (x > 1).sum()])
    return counts + noise.laplace(scale, 3)
