"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: two groups of columns clipped to 1 each, claimed 1 together (per-layer clipping).
@dp.own_statistic("sixteenth.perlayer", gives=2, sensitivity=lambda removed, added: {"l2": 1.0 * (removed + added)}, source="none")
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), -1, 1)
    return [float(np.round(a[:, 0]).sum()), float(np.round(a[:, -1]).sum())]
