"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# A table of constants is made at the first call and kept.
TABLE = None


@dp.row_function("laterc21.sine", columns=1)
def sine(values):
    """Sine by a table of 4096 entries."""
    global TABLE
    if TABLE is None:
        TABLE = np.sin(2 * np.pi * np.arange(4096) / 4096)
    phase = np.nan_to_num(np.mod(np.clip(values[:, 0], -1e15, 1e15), 1.0))
    return TABLE[np.minimum((phase * 4096).astype(int), 4095)][:, None]
