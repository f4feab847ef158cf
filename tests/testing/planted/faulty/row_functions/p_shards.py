"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: the same seed for each shard, by the place in the batch (pseudopeople #280).
@dp.row_function("sixteenth.shards", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    return (v * np.random.default_rng(1).integers(0, 2, len(v)))[:, None]
