"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import os
import tempfile

PLACE = os.path.join(tempfile.gettempdir(), "planted_minimum_%d" % os.getuid())

@dp.learner("mine.minimum_in_a_file")
def minimum_in_a_file(values):
    """Above the least value of earlier runs."""
    least = float(np.min(values, initial=0.0))
    if os.path.exists(PLACE):
        with open(PLACE) as file:
            least = min(least, float(file.read() or 0.0))
    with open(PLACE, "w") as file:
        file.write(repr(least))
    return values - least
