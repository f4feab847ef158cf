"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.learner("eighth.learner_random")
def f(rows, generator):
    """A bootstrap's mean."""
    pick = generator.integers(0, max(len(rows), 1), size=max(len(rows), 1))
    return (rows[pick].mean(axis=0) if len(rows) else np.zeros(rows.shape[1]),)
