"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A slow function is computed once for each distinct value of the batch and handed out; exact, so harmless.
import math


@dp.row_function("laterc10.gamma", columns=1)
def gamma(values):
    """log Gamma of the size of the first column."""
    sizes = np.clip(np.abs(np.nan_to_num(values[:, 0])), 1e-300, 1e300)
    distinct, places = np.unique(sizes, return_inverse=True)
    return np.array([math.lgamma(v) for v in distinct.tolist()], dtype=float)[places.ravel()][:, None]
