"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import zlib


@dp.own_partition("seventh.c_crc", parts=4)
def f(rows):
    """By checksum."""
    return [zlib.crc32(np.ascontiguousarray(r).tobytes()) % 4 for r in rows]
