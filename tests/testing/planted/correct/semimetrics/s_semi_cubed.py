"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The cube of a distance, with triangle 4.
@dp.semimetric("rounds.cubed", triangle=lambda r: 4.0)
def cubed(a, b):
    """The largest difference, cubed."""
    return float(np.abs(a - b).max()) ** 3
