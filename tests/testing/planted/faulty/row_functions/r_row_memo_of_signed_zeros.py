"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A memo whose keys -0.0 and 0.0 are one, of a function that tells them apart. Witness: [0.0] after [-0.0] gives -1.
import functools
import math


@functools.lru_cache(maxsize=None)
def sign(v):
    return math.copysign(1.0, v)


@dp.row_function("round.signed_zero", columns=1)
def signed_zero(values):
    """The sign of the first column."""
    return np.array([sign(float(v)) for v in values[:, 0]]).reshape(-1, 1)
