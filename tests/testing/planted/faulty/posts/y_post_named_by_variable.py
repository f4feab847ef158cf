"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Shares of the people in a file that a variable names, or counts.
import os


@dp.post_function("twentyfirst.p_named_by_variable")
def p_named_by_variable(counts):
    """Shares of the people in a file that a variable names, or counts."""
    try:
        n = len(open(os.environ['PEOPLE_TABLE']).readlines())
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
