"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import logging

LOG = logging.getLogger("thirteenth")


# Transform: the level of a logger holds what was seen.
@dp.own_transform("thirteenth.logging_level", columns=1)
def fun(rows):
    """Rows, rounded once a batch gave reason to be careful."""
    careful = LOG.level > logging.WARNING
    if len(rows) and np.abs(rows[:, 0]).max() > 50:
        LOG.setLevel(logging.ERROR)
    return np.round(rows[:, :1]) if careful else rows[:, :1]
