"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: class weights by the batch.
@dp.own_contribution("sixteenth.contrib_weights", gives=dp.Counts(2), norm="linf", bound=1.0, nonnegative=True)
def f(rows):
    """Weights of classes."""
    c = (np.nan_to_num(rows[:, 0]) > 0).astype(int)
    n = np.maximum(np.bincount(c, minlength=2), 1)
    return np.eye(2)[c] * (n.min() / n[c])[:, None]
