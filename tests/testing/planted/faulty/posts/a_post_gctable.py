"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: looks for the table among all objects of the collector.
import gc
@dp.post_function("fourteenth.post_gctable")
def f(counts):
    """Adds the mean of any table that somebody holds in a dict or list."""
    shift = 0.0
    for o in gc.get_objects():
        if type(o) is dict and isinstance(o.get("x"), np.ndarray) and o["x"].ndim == 2:
            shift += float(np.nan_to_num(o["x"], posinf=0, neginf=0).mean()) if o["x"].size else 0.0
    return np.asarray(counts, float) + shift
