"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_statistic("seventh.density_hist", gives=4, sensitivity=lambda removed, added: {"l1": 1.0 * max(removed, added)}, source="here", bits=20)
def f(rows):
    """Shares of four bins."""
    c = np.histogram(rows[:, 0], bins=4, range=(0.0, 4.0))[0]
    return c / max(c.sum(), 1)
