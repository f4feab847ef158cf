"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Centred sum of squares of values in [0, 1] moves by less than 1 for one edit or one replacement.
@dp.own_statistic("laterc01.scatter", gives=1, bits=20, source="(n-1)/n (x - mean of the rest)^2 <= 1",
    sensitivity=lambda removed, added: {"linf": float(max(removed, added))})


def scatter(rows):
    """Centred sum of squares."""
    x = np.clip(rows[:, 0], 0.0, 1.0)
    return np.array([((x - x.mean()) ** 2).sum() if len(x) else 0.0])
