"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.w_contribution_log_of_total", gives=1, norm="linf", bound=1.0)
def w_contribution_log_of_total(rows):
    """Softmax weights of the first column."""
    x = np.clip(rows[:, :1], -30, 30)
    e = np.exp(x)
    return e / max(e.sum(), 1.0)
