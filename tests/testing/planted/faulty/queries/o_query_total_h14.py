"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: in half precision.
@dp.own_query("outside.h14", gives=1, sensitivity=lambda a: {"linf": a["l1"]}, source="me")
def total(a):
    """In half precision."""
    return [float(np.nan_to_num(np.sum(a.astype(np.float16), dtype=np.float16), posinf=65504.0, neginf=-65504.0))]
