"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os

@dp.learner("mine.environment")
def environment(values):
    """Reads how many threads there are."""
    return values * float(os.environ.get("OMP_NUM_THREADS", "1"))
