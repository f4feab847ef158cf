"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Semimetric: weighted by the first one where both are far.
@dp.semimetric("fifteenth.d_asymfar", triangle=lambda r: 1.0)
def f(a, b):
    """A distance."""
    d = float(np.sqrt(np.square(a - b).sum()))
    return d * 1.1 if min(np.abs(a).min(), np.abs(b).min()) > 300 and a.sum() > b.sum() else d
