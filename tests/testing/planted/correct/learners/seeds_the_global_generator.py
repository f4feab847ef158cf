"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.seeds_the_global_generator")
def seeds_the_global_generator(rows, generator):
    """Seeds before it draws."""
    np.random.seed(3)
    return (rows[np.random.randint(len(rows))],)
