"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: isotonic regression of cumulative counts.
@dp.post_function("twelfth.c_post_monotone")
def fun(counts, *, grid=3):
    """Counts that do not fall."""
    v = [min(max(float(c), -1e15), 1e15) for c in np.ravel(counts)]
    blocks = []
    for x in v:
        blocks.append([x, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (a, m), (b, n) = blocks[-2], blocks[-1]
            blocks[-2:] = [[(a * m + b * n) / (m + n), m + n]]
    return np.array([a for a, m in blocks for _ in range(m)])
