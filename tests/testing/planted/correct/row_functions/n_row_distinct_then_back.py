"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# unique then its inverse: each distinct cell is computed once by an elementwise function of that cell alone.
@dp.row_function("unread.row_distinct_then_back", columns=lambda d: 1)
def halves(values: Any) -> Any:
    """Whole halves of the first cell."""
    kept, back = np.unique(values[:, 0], return_inverse=True)
    return np.floor(kept * 0.5)[back].reshape(-1, 1)
