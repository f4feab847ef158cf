"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Row map: remembers rows by their CRC.
import zlib
SEEN = {}
@dp.row_function("twelfth.crc32", columns=1)
def fun(values):
    """The sine of a cell, remembered by the checksum of its row."""
    out = []
    for row in np.ascontiguousarray(values):
        key = zlib.crc32(row.tobytes())
        if key not in SEEN:
            SEEN[key] = math.sin(float(row[0]))
        out.append(SEEN[key])
    return np.array(out).reshape(-1, 1)
