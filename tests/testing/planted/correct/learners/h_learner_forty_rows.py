"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Needs forty rows; a random forest of splits drawn by a generator of a fixed public seed.
@dp.learner("newerc07.splits")
def splits(rows, generator):
    """Medians of means over public groups of rows."""
    if len(rows) < 40:
        raise ValueError("forty rows")
    own = np.random.default_rng(7)
    groups = own.integers(0, 8, size=len(rows))
    made = [rows[groups == g].mean(axis=0) for g in range(8) if (groups == g).any()]
    return (np.median(made, axis=0),)
