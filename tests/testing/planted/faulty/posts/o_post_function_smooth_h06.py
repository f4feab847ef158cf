"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: memo by rounded tuple.
MEMO = {}


@dp.post_function("outside.h06", gives=lambda v: v)
def smooth(v):
    """Half."""
    key = tuple(np.round(np.asarray(v).ravel(), 1))
    return MEMO.setdefault(key, np.asarray(v) / 2.0).copy()
