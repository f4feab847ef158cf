"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Transform: clocks that go back are repaired from the row before.
@dp.own_transform("thirteenth.never_falls", columns=1)
def fun(rows):
    """Times that do not fall by more than a day."""
    x = rows[:, 0]
    most = np.maximum.accumulate(x) if len(x) else x
    return np.where(x < most - 86400.0, most, x)[:, None]
