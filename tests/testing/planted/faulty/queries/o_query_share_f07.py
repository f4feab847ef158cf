"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Share a/(b+1), claims distance of a.
@dp.own_query("outside.f07", gives=1, sensitivity=lambda a: {"linf": a["linf"]}, source="me", bits=20)
def share(a):
    """Part of the first number in the absolute total."""
    return [float(a[0] / (np.abs(a[1:]).sum() + 1.0))]
