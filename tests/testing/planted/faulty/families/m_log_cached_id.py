"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Family: what depends on the member is kept by its identity.
KNOWN = {}
@dp.family("twelfth.log_cached_id", size=lambda d: d, sample=lambda theta, n, g: g.exponential(np.exp(theta), (n, len(theta))), fit=lambda rows, g: np.log(np.abs(rows).mean(axis=0) + 1e-9), example=lambda d, g: 0.3 * g.normal(size=d))
def fun(rows, theta):
    """Exponential laws with log scales theta."""
    key = id(theta)
    if key not in KNOWN:
        KNOWN[key] = np.exp(-np.clip(theta, -300, 300))
    rates = KNOWN[key][: rows.shape[1]]
    total = np.zeros(len(rows))
    with np.errstate(all="ignore"):
        for j in range(len(rates)):
            total = total + np.where(rows[:, j] >= 0, np.log(rates[j]) - rates[j] * rows[:, j], -1e9)
    return total
