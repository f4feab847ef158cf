"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_learner_seeded_local")
def c_learner_seeded_local(rows, generator):
    """A learner."""
    rng = np.random.default_rng(7)
    return (rows[rng.integers(len(rows))],)
