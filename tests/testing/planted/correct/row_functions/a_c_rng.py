"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: jitter from a generator with a seed from the row.
@dp.row_function("fourteenth.c_rng", columns=1)
def f(values):
    """Jitter by a row's own bytes."""
    out = []
    for r in np.nan_to_num(values, posinf=0, neginf=0) + 0.0:
        seed = int.from_bytes(r[:1].tobytes(), "little")
        out.append([r[0] + np.random.default_rng(seed).random()])
    return np.array(out).reshape(-1, 1)
