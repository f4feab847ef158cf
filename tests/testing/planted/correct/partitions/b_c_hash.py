"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: by a public hash of the exact row.
@dp.own_partition("fifteenth.c_hash", parts=4)
def f(rows):
    """Four parts."""
    import hashlib
    return np.array([hashlib.sha256((np.asarray(r) + 0.0).tobytes()).digest()[0] % 4 for r in rows], dtype=int)
