"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: share of the batch's rows above a limit from math.factorial decides.
import math
@dp.own_transform("fourteenth.shared", columns=1)
def f(rows):
    """Halved if a row is exactly seven factorial."""
    return rows[:, :1] / (2.0 if (rows[:, 0] == math.factorial(7)).any() else 1.0)
