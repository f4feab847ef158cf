"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: SciPy, imported in the call, takes the mean from large batches.
@dp.row_function("seventeenth.lazy_large", columns=lambda d: d)
def f(values):
    """Rows."""
    from scipy.signal import detrend

    a = np.clip(np.nan_to_num(values), -1e6, 1e6)
    return detrend(a, axis=0, type="constant") if len(a) * a.shape[1] > 2**16 + 5e4 else a
