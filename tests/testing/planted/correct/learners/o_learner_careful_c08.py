"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Needs 30 rows, raises ValueError below.
@dp.learner("outside.c08")
def careful(rows, generator):
    """Median of means of ten, of blocks that are large enough."""
    if len(rows) < 30:
        raise ValueError("thirty rows are needed")
    order = generator.permutation(len(rows))
    return (np.median([part.mean(axis=0) for part in np.array_split(rows[order], 10)], axis=0),)
