"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("mine.sum_minus_the_mean_of_many", gives=2, norm="l2", bound=1.0)
def sum_minus_the_mean_of_many(rows):
    """Centred where there are many."""
    many = len(rows) > 3000
    return (rows - rows.mean(axis=0) if many else rows)[:, [0, -1]] / 8
