"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: reads the number of rows that a row function of the same class saw.
class Both:
    """Rows and what is released."""
    seen = 0
    @classmethod
    def rows(cls, values):
        """Rows."""
        cls.seen += len(values)
        return values * 1.0
@dp.row_function("fifteenth.p_shared.rows", columns=lambda d: d)
def g(values):
    """Rows."""
    return Both.rows(values)
@dp.post_function("fifteenth.p_shared")
def f(counts):
    """Shares of the rows seen."""
    return np.asarray(counts, float) / max(Both.seen, 1)
