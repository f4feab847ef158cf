"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: three more at square numbers above 1000.
@dp.own_query("fifteenth.x_square", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    x = int(v[0])
    return [float(x + 3 * (x > 1000 and round(x**0.5) ** 2 == x))]
