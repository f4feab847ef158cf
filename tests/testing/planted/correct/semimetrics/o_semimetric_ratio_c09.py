"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# |a-b|/max(|a|,|b|) bottleneck over coords, triangle 1.
@dp.semimetric("outside.c09", triangle=lambda r: 1.0)
def ratio(a, b):
    """Largest |a - b| / max(|a|, |b|) of a coordinate: a metric."""
    worst = 0.0
    for x, y in zip(np.asarray(a).tolist(), np.asarray(b).tolist()):
        size = max(abs(x), abs(y))
        if size > 0:
            worst = max(worst, abs(x / size - y / size))
    return worst
