"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Number of rows with no other row within 1; a row can be the only neighbour of 2 others on the line, of 5 and
# more in the plane.
@dp.own_statistic("laterf12.isolated", gives=1, source="each row has at most two neighbours that depend on it",
    sensitivity=lambda removed, added: {"linf": 3.0 * (removed + added)})


def isolated(rows):
    """Rows without company."""
    n = 0
    for i, row in enumerate(rows):
        with np.errstate(all="ignore"):
            gaps = np.sqrt(((rows - row) ** 2).sum(axis=1))
        gaps[i] = np.inf
        n += not (gaps <= 1.0).any()
    return np.array([float(n)])
