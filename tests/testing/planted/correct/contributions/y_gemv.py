"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A matrix-vector product goes to BLAS, whose sums depend on the number of rows in their last bits.
@dp.own_contribution("laterh12.score", gives=1, norm="linf", bound=1e6)
def score(rows):
    """A linear score."""
    weights = np.cos(np.arange(rows.shape[1]) + 0.3)
    return np.dot(rows, weights)[:, None]
