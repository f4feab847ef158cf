"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.global_generator")
def global_generator(values):
    """Dithered."""
    return values + np.random.random(values.shape)
