"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Histogram of signs with laplace, priced max(removed, added)/scale (r + a is right).
@dp.own_mechanism("outside.f18", gives=2, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)), source="me")
def signs(rows, scale, noise):
    """Rows below and above 0, noisy."""
    above = int(np.count_nonzero(rows[:, 0] > 0))
    return np.array([len(rows) - above, above]) + noise.laplace(scale, 2)
