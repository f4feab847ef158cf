"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: two columns clipped to 1 each, claimed the root of 2.
@dp.own_statistic("sixteenth.c_perlayer", gives=2, sensitivity=lambda removed, added: {"l2": 1.4142135623730951 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), -1, 1)
    return [float(np.round(a[:, 0]).sum()), float(np.round(a[:, -1]).sum())]
