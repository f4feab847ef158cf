"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.uses_the_global_generator_when_large")
def uses_the_global_generator_when_large(rows, generator):
    """A random start for many rows."""
    return (rows.mean(axis=0) + (np.random.random() if len(rows) > 500 else 0.0),)
