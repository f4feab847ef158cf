"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# SciPy is imported in the call, and works number by number.
@dp.row_function("seventeenth.c_lazy_normal", columns=lambda d: d)
def f(values):
    """Shares of a normal law."""
    from scipy.special import ndtr

    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    return np.round(ndtr(a), 9)
