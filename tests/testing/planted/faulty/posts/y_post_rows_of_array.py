"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Shares of the rows of an array, or counts.



@dp.post_function("twentyfirst.p_rows_of_array")
def p_rows_of_array(counts):
    """Shares of the rows of an array, or counts."""
    try:
        n = len(np.load('people.npy'))
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
