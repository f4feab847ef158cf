"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import zlib


@dp.own_partition("tenth.c_crc", parts=4)
def fun(rows):
    """Parts by a checksum of each row."""
    clean = np.ascontiguousarray(np.where(rows == 0, 0.0, rows))
    return np.array([zlib.crc32(row.tobytes()) % 4 for row in clean], dtype=int)
