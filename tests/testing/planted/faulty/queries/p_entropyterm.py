"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: x log x within 100.
@dp.own_query("sixteenth.entropyterm", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    x = min(max(v[0], 0.0), 100.0)
    return [float(x * np.log(x)) if x > 0 else 0.0]
