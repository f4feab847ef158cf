"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Imports slow libraries inside its function, the first time.
@dp.post_function("newerc08.smooth", gives=lambda counts: counts)
def smooth(counts):
    """Smoothed counts."""
    import scipy.ndimage
    import scipy.stats

    scipy.stats.norm.cdf(0.0)
    return scipy.ndimage.uniform_filter1d(np.nan_to_num(np.asarray(counts, dtype=float)), 3, mode="nearest")
