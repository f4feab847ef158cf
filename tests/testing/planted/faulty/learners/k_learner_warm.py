"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


WARM = {}


@dp.learner("eighth.learner_warm")
def f(rows, generator):
    """Mean by a few steps of descent from the last answer."""
    at = WARM.get(rows.shape[1], np.zeros(rows.shape[1]))
    for _ in range(5):
        at = at + 0.5 * (rows.mean(axis=0) - at)
    WARM[rows.shape[1]] = at
    return (at,)
