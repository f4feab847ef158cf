"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: 2 sqrt(x + 3/8) claimed 1-Lipschitz: 1.12 at zero.
import math
@dp.own_query("fourteenth.query_anscombe", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """Variance-stabilised count."""
    return [2 * math.sqrt(max(float(np.ravel(value)[0]), 0.0) + 0.375)]
