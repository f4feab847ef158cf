"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Post: isotonic regression of released counts.
@dp.post_function("fourteenth.c_isotonic")
def f(counts):
    """Pool adjacent violators."""
    blocks = []
    for v in np.asarray(counts, float).ravel().tolist():
        blocks.append([v, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v2, n2 = blocks.pop()
            v1, n1 = blocks.pop()
            blocks.append([v1 * (n1 / (n1 + n2)) + v2 * (n2 / (n1 + n2)), n1 + n2])
    return np.array([v for v, n in blocks for _ in range(n)])
