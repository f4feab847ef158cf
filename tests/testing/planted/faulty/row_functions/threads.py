"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import threading

@dp.learner("mine.threads")
def threads(values):
    """Split by the number of threads."""
    return values * threading.active_count()
