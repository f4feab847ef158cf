"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Row map: remembers rows by a checksum of 32 bits.
import zlib
SEEN = {}
@dp.row_function("twelfth.crc", columns=1)
def fun(values):
    """A slow function of a row, remembered."""
    out = []
    for row in np.ascontiguousarray(values):
        key = zlib.adler32(row.tobytes())
        if key not in SEEN:
            SEEN[key] = math.sin(float(row[0]))
        out.append(SEEN[key])
    return np.array(out).reshape(-1, 1)
