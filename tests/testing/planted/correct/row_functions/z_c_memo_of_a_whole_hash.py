"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The sum of a row, remembered by its whole hash.
import hashlib
SEEN = {}
@dp.row_function("twentieth.c_whole_hash", columns=1)
def c_whole_hash(rows):
    """The sum of a row, remembered by its whole hash."""
    out = []
    for r in rows:
        key = hashlib.md5(r.tobytes()).digest()
        if key not in SEEN:
            SEEN[key] = float(np.clip(np.nan_to_num(r).sum(), -1e9, 1e9))
        out.append([SEEN[key]])
    return np.array(out).reshape(len(rows), 1)
