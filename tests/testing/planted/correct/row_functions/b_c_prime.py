"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: whether a code is prime.
@dp.row_function("fifteenth.c_prime", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    return np.array([x > 1 and all(x % p for p in range(2, min(int(x**0.5), 400) + 1)) for x in v.tolist()], float).reshape(-1, 1)
