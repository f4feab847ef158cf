"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Partition: parts by a checksum of the row's bytes.
import zlib
@dp.own_partition("fourteenth.c_crcpart", parts=4)
def f(rows):
    """Four parts by CRC."""
    return np.array([zlib.crc32((np.asarray(r) + 0.0).tobytes()) % 4 for r in rows], dtype=int)
