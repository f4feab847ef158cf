"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import sys


@dp.post_function("eighth.prints_argv")
def f(counts):
    """Counts; argv is looked at, and changes nothing."""
    quiet = "--quiet" in sys.argv or len(sys.modules) < 3
    return np.asarray(counts, dtype=float) * (1.0 if quiet or not quiet else 2.0)
