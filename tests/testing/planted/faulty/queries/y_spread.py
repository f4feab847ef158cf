"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Largest minus least count moves by twice the largest move of one; needs m >= 2.
@dp.own_query("laterf18.spread", gives=1, source="max is 1-Lipschitz", sensitivity=lambda scores: {"linf": scores["linf"]})
def spread(scores):
    """How unequal the counts are."""
    return np.array([scores.max() - scores.min()])
