"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: sums at several levels for the price of one.
@dp.own_mechanism("thirteenth.tree_levels", gives=lambda m, levels: m * levels, takes="l1", loss=lambda scale, distance, m, levels: dp.Pure(dp.round_up(distance / scale)), source="trees", examples={"m": 2, "levels": 1})
def fun(value, scale, noise, *, m, levels):
    """Counts, and counts once more for each level."""
    made = np.tile(np.asarray(value), levels)
    return made + noise.laplace(scale, m * levels)
