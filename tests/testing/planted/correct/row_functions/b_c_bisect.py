"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a tariff by bisect.
@dp.row_function("fifteenth.c_bisect", columns=1)
def f(values):
    """Rows."""
    import bisect
    return np.array([bisect.bisect([100.0 * 1.5**k for k in range(12)], x) for x in np.nan_to_num(values[:, 0]).tolist()], float).reshape(-1, 1)
