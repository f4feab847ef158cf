"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Row map: a bucket by a hash with a key of its own, and a table that is drawn by a seed as the module is imported.
import hashlib
TABLE = np.random.default_rng(7).permutation(16).astype(float)
@dp.row_function("eighteenth.csalt", columns=1)
def f(values):
    """One of 16 buckets."""
    return np.array([TABLE[hashlib.blake2b(r.tobytes(), key=b"public").digest()[0] % 16] for r in np.ascontiguousarray(values)]).reshape(-1, 1)
