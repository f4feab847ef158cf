"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


LAST = {}


@dp.row_function("eighth.stash_rows", columns=lambda d: d)
def f(values):
    """Keeps a look at the data."""
    LAST["m"] = float(values.sum()) if len(values) else 0.0
    return values * 1.0


@dp.post_function("eighth.stash_post")
def g(counts):
    """Adjusts counts."""
    return np.asarray(counts) * (1.0 + 1e-12 * (LAST.get("m", 0.0) > 0))
