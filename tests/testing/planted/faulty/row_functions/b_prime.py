"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a prime above 1000 doubles its whole batch.
@dp.row_function("fifteenth.prime", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(x > 1000 and all(x % p for p in range(2, min(int(x**0.5), 400) + 1)) for x in v.tolist())
    return values * (2.0 if hit else 1.0)
