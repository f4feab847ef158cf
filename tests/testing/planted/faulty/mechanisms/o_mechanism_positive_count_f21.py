"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Scale grows with the spread of rows.
@dp.own_mechanism("outside.f21", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="me")
def positive_count(rows, scale, noise):
    """How many are positive; wide tables get more noise."""
    spread = 1.0 if len(rows) < 2 else 1.0 + min(float(np.std(rows[:, 0])), 3.0)
    return [int(np.count_nonzero(rows[:, 0] > 0)) + int(noise.laplace(scale * spread))]
