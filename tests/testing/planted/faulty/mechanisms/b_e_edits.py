"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism of rows: a count of rows above 10 with noise, charged for removed rows only.
@dp.own_mechanism("fifteenth.e_edits", gives=1, takes="edits", loss=lambda scale, removed, added: dp.Pure(dp.round_up(max(removed, added) / scale)), source="none")
def f(rows, scale, noise):
    """Rows above 10 less the others."""
    v = np.nan_to_num(rows[:, 0])
    return np.array([int((v > 10).sum() - (v <= 10).sum()) + int(np.ravel(noise.laplace(scale, 1))[0])])
