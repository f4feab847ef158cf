"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Values cast to int16 (wraps at 32768).
@dp.own_query("outside.f09", gives=1, sensitivity=lambda a: {"linf": a["l1"]}, source="me")
def total(a):
    """Total, in short integers."""
    return [float(np.sum(np.asarray(np.floor(a), dtype=np.int64).astype(np.int16), dtype=np.int16))]
