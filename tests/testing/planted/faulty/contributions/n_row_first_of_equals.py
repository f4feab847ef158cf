"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A row counts only where it is the first of equal rows: with copies, an image hangs on other rows.
@dp.own_contribution("unread.row_first_of_equals", gives=1, norm="l1", bound=1.0, nonnegative=True)
def new_values(rows: Any) -> Any:
    """One for each value that was not there before."""
    out = np.zeros((len(rows), 1))
    out[np.unique(rows[:, 0], return_index=True)[1]] = 1.0
    return out
