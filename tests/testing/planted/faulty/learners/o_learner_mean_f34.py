"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Seeds from np.random global state.
@dp.learner("outside.f34")
def mean(rows, generator):
    """Mean of half of a block, drawn."""
    chosen = np.random.permutation(len(rows))[: (len(rows) + 1) // 2]
    return (rows[chosen].mean(axis=0),)
