"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: how often it starts again depends on earlier blocks, through the generator of NumPy.
@dp.learner("thirteenth.learner_tries")
def fun(rows, generator):
    """A centre from a random row."""
    place = np.random.randint(0, len(rows)) if len(rows) > 1 else 0
    return (rows[place].copy(),)
