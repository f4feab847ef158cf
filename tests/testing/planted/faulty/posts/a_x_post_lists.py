"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: a table looked for among the collector's tuples.
import gc
@dp.post_function("fourteenth.x_post_lists")
def f(counts):
    """Adds the mean of any long matrix that is held in a list or tuple."""
    shift = 0.0
    for o in gc.get_objects():
        if type(o) in (list, tuple) and len(o) < 50:
            shift += sum(float(a.sum()) for a in o if type(a) is np.ndarray and a.ndim == 2 and len(a) > 500 and a.dtype == float)
    return np.asarray(counts, float) + shift
