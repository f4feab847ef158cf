"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A block of few rows answers with the last block's fit. Witness: 3 rows after 50 others, and 3 rows alone.
class Fit:
    best = None


@dp.learner("round.fallback")
def fallback(rows, generator):
    """The mean of a block; of too small a block the last good one."""
    if len(rows) >= 8:
        Fit.best = rows.mean(axis=0)
    elif Fit.best is None or Fit.best.shape != rows.shape[1:]:
        return (np.zeros(rows.shape[1]),)
    return (Fit.best,)
