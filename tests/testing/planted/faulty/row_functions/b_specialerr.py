"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: SciPy's error state is changed by a row at a pole.
import scipy.special
@dp.row_function("fifteenth.specialerr", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -50, 50)
    if (v == -3).any():
        scipy.special.seterr(singular='raise')
    try:
        out = np.nan_to_num(scipy.special.gammaln(np.round(v)), posinf=-1.0)
    except scipy.special.SpecialFunctionError:
        out = v * 0
    return out[:, None]
