"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: SciPy's functions.
import scipy.special
@dp.row_function("fifteenth.c_special", columns=3)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), 0.1, 50)
    return np.stack([scipy.special.gammaln(v), scipy.special.erf(v), scipy.special.digamma(v)], axis=1)
