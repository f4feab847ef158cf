"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.rows_by_value", gives=1, takes="edits", source="none", loss=lambda scale, removed, added: (removed + added) / scale)
def rows_by_value(rows, scale, noise):
    """The sum of clipped rows, which moves by ten."""
    return [float(np.rint(np.clip(rows[:, 0], -5, 5).sum()) + int(noise.laplace(float(max(1, int(np.ceil(scale)))))))]
