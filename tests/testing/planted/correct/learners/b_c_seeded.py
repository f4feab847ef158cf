"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: a resample by its generator, median of means.
@dp.learner("fifteenth.c_seeded")
def f(rows, generator):
    """A learner."""
    if len(rows) < 3:
        return (np.zeros(rows.shape[1]),)
    o = generator.permutation(len(rows))
    return (np.median([np.nan_to_num(rows[p]).mean(axis=0) for p in np.array_split(o, 3)], axis=0),)
