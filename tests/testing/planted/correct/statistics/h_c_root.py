"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a root of the number of rows, which grows ever more slowly; rounded to 2^-20.
@dp.own_statistic("seventeenth.croot", gives=1, sensitivity=lambda removed, added: {"linf": 1.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A root."""
    return [float(np.sqrt(len(rows)))]
