"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import time

@dp.learner("mine.seconds")
def seconds(values):
    """Another sign on odd days."""
    return values * (1.0 if int(time.time() // 86400) % 2 else -1.0)
