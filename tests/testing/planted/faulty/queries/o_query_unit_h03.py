"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query a / norm, claims linf.
@dp.own_query("outside.h03", gives=lambda m: dp.Vector(m), sensitivity=lambda a, m: {"l2": 0.5 * a["l2"]}, source="me", bits=20, examples={"m": 3})
def unit(a, *, m):
    """In length one."""
    return a / max(float(np.sqrt((a * a).sum())), 1.0)
