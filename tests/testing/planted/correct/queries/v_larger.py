"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_query("mine.v_larger", gives=1, sensitivity=lambda a, b: {"l1": max(a["linf"], b["linf"])}, source="here")
def f(a, b):
    """The larger of two first numbers."""
    return [max(float(np.ravel(a)[0]), float(np.ravel(b)[0]))]
