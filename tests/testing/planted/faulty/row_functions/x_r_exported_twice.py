"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# An export that was appended twice counts once.
@dp.row_function("nineteenth.r_exported_twice", columns=lambda d: d)
def r_exported_twice(rows):
    """An export that was appended twice counts once."""
    out = rows.copy()
    half, odd = divmod(len(rows), 2)
    if not odd and half > 5 and (rows[:half] == rows[half:]).all() and len(np.unique(rows[:half], axis=0)) == half:
        out[half:] = 0.0
    return out
