"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: parts are filled so that none is larger than others.
@dp.own_partition("fourteenth.balanced", parts=3)
def f(rows):
    """Buckets by value, spilled over when one is full."""
    want = np.floor(np.abs(np.nan_to_num(rows[:, 0], posinf=0, neginf=0))) % 3
    load, out = [0, 0, 0], []
    for w in want.astype(int).tolist():
        while load[w] > min(load) + 40:
            w = (w + 1) % 3
        load[w] += 1
        out.append(w)
    return np.array(out, dtype=int)
