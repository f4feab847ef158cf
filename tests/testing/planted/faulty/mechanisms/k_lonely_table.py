"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.lonely_table", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="me")
def f(rows, scale, noise):
    """Noisy count; an empty table has none."""
    n = len(rows)
    return np.array([0.0]) if n == 0 else np.array([float(n)]) + noise.laplace(scale, 1)
