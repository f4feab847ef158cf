"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism of rows: counts in int8, wrap at 128.
@dp.own_mechanism("outside.h13", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)), source="me")
def count(rows, scale, noise):
    """How many."""
    return [int(np.int8(np.count_nonzero(rows[:, 0] > 0) % 256 - 256 * (np.count_nonzero(rows[:, 0] > 0) % 256 > 127))) + int(noise.laplace(scale))]
