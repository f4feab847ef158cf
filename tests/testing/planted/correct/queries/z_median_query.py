"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The median of scores moves by no more than the scores.
@dp.own_query("laterk35.median", gives=1, bits=1, source="monotone and shift-equivariant", sensitivity=lambda scores: {"linf": scores["linf"]})
def median(scores):
    """Of the scores."""
    return np.array([np.median(scores)])
