"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: a difference of two, claimed as the larger.
@dp.own_query("thirteenth.two_counts", gives=1, sensitivity=lambda first, second: {"linf": max(first["linf"], second["linf"])}, source="counts")
def fun(first, second):
    """How many more."""
    return [float(np.ravel(first)[0] - np.ravel(second)[0])]
