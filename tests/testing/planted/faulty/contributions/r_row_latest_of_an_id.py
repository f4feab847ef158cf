"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Only the latest row of an id counts. Witness: rows [7, 1], [7, 2]: the first counts alone, and not beside the
# second.
@dp.own_contribution("round.latest", gives=lambda: dp.Counts(1), norm="linf", bound=1.0, nonnegative=True)
def latest(rows):
    """1 for the record of an id that has the largest number in the last column."""
    last = {}
    for row in rows:
        last[row[0]] = max(last.get(row[0], -np.inf), row[-1])
    return np.array([[float(row[-1] >= last[row[0]])] for row in rows]).reshape(-1, 1)
