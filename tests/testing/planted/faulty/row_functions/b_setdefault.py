"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: rows that round to the same number of five digits share the first one's image.
@dp.row_function("fifteenth.setdefault", columns=1)
def f(values):
    """Rows."""
    seen = {}
    return np.array([seen.setdefault(f'{x:.5g}', x) for x in np.nan_to_num(values[:, 0]).tolist()]).reshape(-1, 1)
