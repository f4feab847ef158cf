"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The lead of the commonest value over the next moves by 2 when a row is replaced; claimed max(removed, added);
# replace-one only.
@dp.own_statistic("laterf13.margin", gives=1, source="one row, one vote",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added))})


def margin(rows):
    """Votes of the winner minus votes of the second."""
    _, counts = np.unique(rows[:, 0], return_counts=True)
    counts = np.sort(np.append(counts, [0, 0]))[::-1]
    return np.array([float(counts[0] - counts[1])])
