"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: a memo of a batch by the checksum of 16 bits of a row.
import zlib
@dp.own_transform("fourteenth.crcrow", columns=1)
def f(rows):
    """Roots, once for each checksum of 16 bits."""
    memo, out = {}, []
    for r in rows + 0.0:
        key = zlib.crc32(r.tobytes()) & 0xFFFF
        out.append([memo.setdefault(key, float(np.sqrt(np.abs(r[0]))))])
    return np.array(out).reshape(-1, 1)
