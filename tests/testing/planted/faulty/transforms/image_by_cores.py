"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os

@dp.own_transform("mine.image_by_cores", columns=1)
def image_by_cores(rows):
    """Over the number of cores."""
    return rows[:, :1] / (os.cpu_count() or 1)
