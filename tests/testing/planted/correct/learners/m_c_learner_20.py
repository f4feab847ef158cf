"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: needs 20 rows.
@dp.learner("twelfth.c_learner_20")
def fun(rows, generator):
    """The trimmed mean of at least twenty rows."""
    if len(rows) < 20:
        raise ValueError("twenty rows at least")
    cut = len(rows) // 10
    return (np.sort(rows, axis=0)[cut:-cut].mean(axis=0),)
