"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# If more than a hundredth of a batch is beyond 1e6 they are emptied: 100 far rows of 10,000 decide one another's
# fate.
@dp.row_function("unread.row_far_rows_trim", columns=lambda d: d)
def trimmed(values: Any) -> Any:
    """Cells; gross errors are dropped where there are many."""
    far = (np.abs(values) > 1e6).any(axis=1)
    if far.mean() > 0.01 and len(values) > 100:
        values = np.where(far[:, None], np.nan, values)
    return values
