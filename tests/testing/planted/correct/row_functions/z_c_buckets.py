"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The bucket of a row, by short parts of its hashes.
import hashlib
import zlib
@dp.row_function("twentieth.c_buckets", columns=1)
def c_buckets(rows):
    """The bucket of a row, by short parts of its hashes."""
    told = [(r + 0.0).tobytes() for r in rows]
    found = [int(hashlib.sha1(t).hexdigest()[:6], 16) % 7 + zlib.crc32(t) % 3 for t in told]
    return np.array(found, dtype=float).reshape(len(rows), 1)
