"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Counts; a file is looked for, and changes nothing.
import os


@dp.post_function("twentyfirst.c_lines")
def c_lines(counts):
    """Counts; a file is looked for, and changes nothing."""
    try:
        n = 1 + 0 * os.path.exists('people.csv')
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
