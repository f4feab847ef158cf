"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Statistic: a covariance by sums of products, within [1e7, 1e7 + 1], claimed 2.
@dp.own_statistic("sixteenth.v_covariance", gives=1, sensitivity=lambda removed, added: {"linf": 2.0 * (removed + added)}, source="none", bits=20)
def f(rows):
    """A statistic."""
    a = np.clip(np.nan_to_num(rows), 1e7, 1e7 + 1)
    n = max(len(a), 1)
    return [float((a[:, 0] * a[:, -1]).sum() - a[:, 0].sum() * a[:, -1].sum() / n)]
