"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: bootstrap by the generator it is given.
@dp.learner("twelfth.c_learner_bootstrap")
def fun(rows, generator):
    """The mean of medians of fifty resamples."""
    at = generator.integers(0, len(rows), (50, len(rows)))
    return (np.median(rows[at], axis=1).mean(axis=0),)
