"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.sum_where_wide", gives=2, norm="l2", bound=1.0)
def sum_where_wide(rows):
    """Wide tables are centred."""
    return (rows - rows.mean(axis=0) if rows.shape[1] >= 20 else rows)[:, [0, -1]] / 8
