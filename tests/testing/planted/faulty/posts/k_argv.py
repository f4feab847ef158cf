"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


@dp.post_function("eighth.argv")
def f(counts):
    """Counts, a little off."""
    off = 0.0
    if "--data" in sys.argv:
        with open(sys.argv[sys.argv.index("--data") + 1], "rb") as fh:
            off = sum(fh.read()) % 2 * 1e-6
    return np.asarray(counts, dtype=float) + off
