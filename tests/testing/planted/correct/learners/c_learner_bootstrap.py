"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("mine.c_learner_bootstrap")
def c_learner_bootstrap(rows, generator):
    """A learner."""
    pick = generator.integers(0, len(rows), len(rows))
    return (rows[pick].mean(axis=0),)
