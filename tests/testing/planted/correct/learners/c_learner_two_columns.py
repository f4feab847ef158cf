"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_learner_two_columns")
def c_learner_two_columns(rows, generator):
    """A learner."""
    a, b = rows.T
    return (np.array([a.mean(), b.mean()]),)
