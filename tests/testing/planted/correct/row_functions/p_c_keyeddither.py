"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: noise by a generator that is seeded with the row itself.
@dp.row_function("sixteenth.c_keyeddither", columns=1)
def f(values):
    """Rows."""
    v = np.clip(np.nan_to_num(values[:, 0]), -1e9, 1e9)
    return np.array([x + np.random.default_rng(abs(int(x))).normal() for x in v.tolist()]).reshape(-1, 1)
