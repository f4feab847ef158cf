"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The sum of a row, remembered by eight digits of its hash.
import hashlib
SEEN = {}
@dp.row_function("twentieth.r_eight_digits", columns=1)
def r_eight_digits(rows):
    """The sum of a row, remembered by eight digits of its hash."""
    out = []
    for r in rows:
        key = hashlib.md5(r.tobytes()).hexdigest()[:8]
        if key not in SEEN:
            SEEN[key] = float(np.clip(np.nan_to_num(r).sum(), -1e9, 1e9))
        out.append([SEEN[key]])
    return np.array(out).reshape(len(rows), 1)
