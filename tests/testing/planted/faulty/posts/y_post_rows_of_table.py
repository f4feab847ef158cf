"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Shares of the rows of a table, or counts.
import pandas as pd


@dp.post_function("twentyfirst.p_rows_of_table")
def p_rows_of_table(counts):
    """Shares of the rows of a table, or counts."""
    try:
        n = len(pd.read_csv('people.csv')['age'])
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
