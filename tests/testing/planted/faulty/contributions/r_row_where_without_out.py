"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Where= without out= leaves memory as it was. Witness: row [1, 0] gives whatever was there.
@dp.own_contribution("round.where", gives=1, norm="linf", bound=10.0)
def ratio(rows):
    """The first column over the last, where that is not 0."""
    return np.divide(rows[:, :1], rows[:, -1:], where=rows[:, -1:] != 0)
