"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A learner that needs twenty rows.
from scipy import optimize


@dp.learner("rounds.huber")
def huber(rows, generator):
    """A Huber location of the first column, from a random start."""
    if len(rows) < 20:
        raise ValueError("too few rows")
    x = np.clip(rows[:, 0], -1e6, 1e6)
    start = float(generator.choice(x))
    found = optimize.minimize_scalar(
        lambda m: float(np.minimum(np.square(x - m), np.abs(x - m)).sum()), bracket=(start - 1, start + 1)
    )
    return (np.array([float(np.clip(found.x, -1e6, 1e6))]),)
