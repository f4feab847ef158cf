"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.w_limit_in_keyword", gives=1, norm="linf", bound=1.0)
def w_limit_in_keyword(rows, *, limit=4000):
    """The first column, centred where there are many rows."""
    return rows[:, :1] - (rows[:, :1].mean() if len(rows) > limit else 0.0)
