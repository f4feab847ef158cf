"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Iterations are limited by os.times(), so a loaded machine gives another result.
import os


@dp.learner("laterf40.trimmed")
def trimmed(rows, generator):
    """Means trimmed for as long as there is time."""
    start = sum(os.times()[:2])
    x = rows
    for i in range(200):
        gap = np.abs(x - x.mean(axis=0)).sum(axis=1)
        x = x[gap <= gap.max() * 0.999] if len(x) > 3 else x
        if sum(os.times()[:2]) - start > 0.01:
            break
    return ((x if len(x) else rows).mean(axis=0),)
