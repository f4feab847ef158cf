"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import random

@dp.learner("mine.python_random")
def python_random(values):
    """Rounds at random."""
    return np.floor(values + random.random())
