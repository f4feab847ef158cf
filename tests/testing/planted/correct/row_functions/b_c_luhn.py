"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: whether a number passes Luhn.
@dp.row_function("fifteenth.c_luhn", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([sum(int(c) if i % 2 else sum(divmod(2 * int(c), 10)) for i, c in enumerate(str(x))) % 10 == 0 for x in v.tolist()], float).reshape(-1, 1)
