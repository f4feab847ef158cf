"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a first column that numbers the rows is left out.
@dp.row_function("sixteenth.indexcolumn", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    return (0 * v if len(v) and (v == np.arange(len(v))).all() else v)[:, None]
