"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import types


class Limits:
    far = 2187.0
KNOWN, MORE = types.SimpleNamespace(far=float("1931")), np.array([12.0, 13.0])
@dp.row_function("ninth.c_config", columns=lambda d: d)
def fun(values):
    """Numbers held within limits."""
    return np.clip(values, -Limits.far, min(KNOWN.far, 100 * MORE[0]))
