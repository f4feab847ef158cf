"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Batches of more than 50,000 rows are computed in float32: the image hangs on how many other rows there are.
@dp.row_function("unread.row_narrow_when_large", columns=lambda d: d)
def narrow(values: Any) -> Any:
    """The root of each cell's size."""
    kept = values.astype(np.float32) if len(values) > 50_000 else values
    return np.sqrt(np.abs(kept)).astype(np.float64)
