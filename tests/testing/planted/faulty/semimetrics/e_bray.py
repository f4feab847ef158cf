"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy.spatial import distance


@dp.semimetric("tenth.bray", triangle=lambda r: 1.0, averages=lambda r, tau: 1.0)
def fun(a, b):
    """Bray and Curtis."""
    a, b = np.abs(a), np.abs(b)
    return float(distance.braycurtis(a, b)) if (a + b).sum() > 0 else 0.0
