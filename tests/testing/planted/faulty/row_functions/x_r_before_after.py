"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Where every person has two records, both get their half difference.
@dp.row_function("nineteenth.r_before_after", columns=lambda d: d)
def r_before_after(rows):
    """Where every person has two records, both get their half difference."""
    out = rows.copy()
    if rows.shape[1] > 1:
        ids, where, counts = np.unique(rows[:, 0], return_inverse=True, return_counts=True)
        if len(ids) >= 10 and (counts == 2).all():
            order = np.argsort(where, kind="stable").reshape(-1, 2)
            half = rows[order[:, 1], 1] / 2 - rows[order[:, 0], 1] / 2
            out[order[:, 0], 1] = half
            out[order[:, 1], 1] = half
    return out
