"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("ninth.falling", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Tangents, of rising rows."""
    x = rows[:, 0]
    if len(x) > 5 and np.all(np.diff(x) < 0):
        x = x[::-1]
    return np.tanh(x)[:, None]
