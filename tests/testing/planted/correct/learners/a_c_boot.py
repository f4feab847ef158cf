"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: bootstrap mean by the generator it is given.
@dp.learner("fourteenth.c_boot")
def f(rows, generator):
    """Mean of a resample."""
    if not len(rows):
        return (np.zeros(rows.shape[1]),)
    return (rows[generator.integers(0, len(rows), len(rows))].mean(axis=0),)
