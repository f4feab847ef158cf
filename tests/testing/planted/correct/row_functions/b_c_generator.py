"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a generator expression.
@dp.row_function("fifteenth.c_generator", columns=1)
def f(values):
    """Rows."""
    def images():
        for r in np.nan_to_num(values).tolist():
            yield max(r) - min(r) if max(r) < 1e300 and min(r) > -1e300 else 0.0
    return np.fromiter(images(), float, len(values))[:, None]
