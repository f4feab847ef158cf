"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: with a flag the batch's mean is taken off.
@dp.own_contribution("thirteenth.centred_flag", gives=1, norm="linf", bound=1.0)
def fun(rows, *, centred=False):
    """The first column, centred if asked for."""
    x = rows[:, :1]
    return x - x.mean() if centred and len(x) else x
