"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os

@dp.learner("mine.load")
def load(values):
    """Coarser where the machine is busy."""
    return np.round(values, 1 if os.getloadavg()[0] > 64 else 2)
