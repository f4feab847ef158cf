"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a noisy sum over the private number of rows.
@dp.own_mechanism("sixteenth.meanofn", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) / scale)), source="none")
def f(rows, scale, noise):
    """A mechanism."""
    s = int(np.round(np.clip(np.nan_to_num(rows[:, 0]), 0, 1)).sum())
    return np.round((s + noise.laplace(scale, 1)) / max(len(rows), 1)).astype(int)
