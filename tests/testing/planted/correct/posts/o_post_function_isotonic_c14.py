"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Numba-like loops, running sums.
@dp.post_function("outside.c14", gives=lambda counts: dp.Vector(counts.m))
def isotonic(counts):
    """Pool adjacent violators, by hand."""
    blocks = []
    for value in np.asarray(counts, dtype=float).tolist():
        blocks.append([value, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v, w = blocks.pop()
            u, t = blocks.pop()
            blocks.append([u * (t / (t + w)) + v * (w / (t + w)), t + w])
    out = []
    for value, times in blocks:
        out.extend([value] * times)
    return np.array(out)
