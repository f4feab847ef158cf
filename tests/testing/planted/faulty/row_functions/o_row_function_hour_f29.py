"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Local hour of a time stamp (time zone of the machine).
import time


@dp.row_function("outside.f29", columns=1)
def hour(values):
    """Local hour of a time stamp."""
    return np.array([[float(time.localtime(min(max(v, 0.0), 4e9)).tm_hour)] for v in values[:, 0]]).reshape(len(values), 1)
