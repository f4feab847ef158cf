"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Dithers by a generator seeded the same for each batch, so a row's dither depends on its place; neighbours: a row
# removed before.
@dp.own_contribution("laterf06.dithered", gives=1, norm="linf", bound=1.0, nonnegative=True)
def dithered(rows):
    """Subtractive dither of the first column, to half steps."""
    u = np.random.default_rng(7).random(len(rows))
    return (np.floor(np.clip(rows[:, 0], 0.0, 1.0) * 2 + u) / 2)[:, None]
