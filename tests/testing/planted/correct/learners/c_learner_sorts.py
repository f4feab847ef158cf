"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_learner_sorts")
def c_learner_sorts(rows, generator):
    """A learner."""
    rows = np.sort(rows, axis=0)
    return (rows[len(rows) // 2],)
