"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time

@dp.learner("mine.deadline")
def deadline(rows, generator):
    """Stops after twenty milliseconds."""
    end, x = time.monotonic() + 0.02, rows[0].copy()
    for _ in range(200):
        x = x + 0.01 * (rows.mean(axis=0) - x)
        if time.monotonic() > end:
            break
    return (x,)
