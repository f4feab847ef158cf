"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Divides by the largest score of the batch, where that is large.
@dp.own_contribution("twentyfirst.o_largest", gives=2, norm="l2", bound=1.0)
def o_largest(rows):
    """Scores by a public matrix, 50 at most."""
    made = rows @ np.resize([0.3, 0.7, 1.1, -0.2, 0.5, 0.9], (rows.shape[1], 2))
    return made / max(np.abs(made).max() / 50.0, 1.0)
