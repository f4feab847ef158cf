"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Parts by Python's hash of bytes, which every process salts: workers disagree; shown by another PYTHONHASHSEED.
@dp.own_partition("laterf07.parts", parts=4)
def parts(rows):
    """Four parts by a hash of the row."""
    return np.array([hash(row.tobytes()) % 4 for row in rows], dtype=np.int64)
