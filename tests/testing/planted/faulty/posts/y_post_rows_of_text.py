"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Shares of the rows that numpy reads, or counts.



@dp.post_function("twentyfirst.p_rows_of_text")
def p_rows_of_text(counts):
    """Shares of the rows that numpy reads, or counts."""
    try:
        n = len(np.loadtxt('people.csv', delimiter=',', ndmin=2))
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
