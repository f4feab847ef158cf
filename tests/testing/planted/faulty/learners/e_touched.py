"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os


@dp.learner("tenth.touched")
def fun(rows, generator):
    """A mean, and in the time of this file how large one was."""
    last = os.stat(__file__).st_atime
    mean = float(rows[:, 0].mean())
    os.utime(__file__, (abs(np.clip(mean, -1e6, 1e6)) + 1.0, os.stat(__file__).st_mtime))
    return (np.array([mean if last > 1e8 else 0.9 * mean + 0.1 * last]),)
