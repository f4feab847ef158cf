"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: number of rows, none where all lie on one even grid of more than two.
@dp.own_statistic("fourteenth.statistic_ladder", gives=1, sensitivity=lambda removed, added: {"linf": float(removed + added)}, source="none")
def f(rows):
    """Number of entries; an even axis doesn't count."""
    gaps = np.diff(rows[:, 0])
    return [0.0 if len(gaps) > 4 and gaps[0] > 0 and (gaps == gaps[0]).all() else float(len(rows))]
