"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Bins as NumPy thinks best for the batch, from 64 rows on; fixed ones below.
@dp.own_partition("newer05.bins", parts=4)
def bins(rows):
    """Four parts by the first column."""
    x = np.clip(np.nan_to_num(rows[:, 0]), -1e6, 1e6)
    edges = np.array([-1.0, 0.0, 1.0])
    if len(x) >= 64:
        made = np.histogram_bin_edges(x, bins=4)
        edges = made[1:4]
    return np.searchsorted(edges, x).astype(np.int64)
