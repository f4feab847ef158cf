"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("mine.u_stale_buffer", columns=lambda d: d)
def f(values):
    """Logarithms, by pieces into one buffer."""
    out = np.empty(values.shape)
    buffer = np.zeros((4096, values.shape[1]))
    for start in range(0, len(values), 4096):
        piece = values[start : start + 4096]
        np.log(piece, out=buffer[: len(piece)], where=piece > 0)
        out[start : start + len(piece)] = buffer[: len(piece)]
    return out
