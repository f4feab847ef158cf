"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Learner: above five times 2,000 rows a mean over all large blocks before is used.
SEEN, ROWS, PARTS = [], 2000, 5
@dp.learner("seventeenth.product")
def f(rows, generator):
    """A scale."""
    s = np.abs(rows).mean(axis=0) if len(rows) else np.zeros(rows.shape[1])
    if len(rows) // ROWS > PARTS:
        SEEN.append(s)
        s = np.mean([x for x in SEEN if x.shape == s.shape], axis=0)
    return (s,)
