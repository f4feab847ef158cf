"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("mine.expanded_square", triangle=lambda r: 1.0)
def expanded_square(a, b):
    """|a|^2 + |b|^2 - 2ab, with its cancellation."""
    return float(np.sqrt(max(0.0, (a * a).sum() + (b * b).sum() - 2 * (a * b).sum())))
