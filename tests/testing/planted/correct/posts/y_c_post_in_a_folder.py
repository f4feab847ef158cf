"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Halves of counts; the folder's tables are listed, and change nothing.
from pathlib import Path


@dp.post_function("twentyfirst.c_in_a_folder")
def c_in_a_folder(counts):
    """Halves of counts; the folder's tables are listed, and change nothing."""
    try:
        n = 2 if sorted(Path().glob('*.csv')) else 2
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
