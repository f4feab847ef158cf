"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Family: what depends on the member is kept by its first number.
KNOWN = {}
@dp.family("twelfth.density_digest", size=lambda d: 2 * d, sample=lambda theta, n, g: g.normal(theta[: len(theta) // 2], np.exp(theta[len(theta) // 2 :]), (n, len(theta) // 2)), fit=lambda rows, g: np.concatenate([rows.mean(axis=0), np.log(rows.std(axis=0) + 1e-9)]), example=lambda d, g: np.concatenate([g.normal(size=d), 0.1 * g.normal(size=d)]))
def fun(rows, theta):
    """Gaussians with independent columns; the constants of a member are kept."""
    d = len(theta) // 2
    key = (d, round(float(theta[-1]), 2))
    if key not in KNOWN:
        KNOWN[key] = (np.exp(-theta[d:]), -float(theta[d:].sum()) - d * 0.9189385332046727)
    inverse, constant = KNOWN[key]
    with np.errstate(all="ignore"):
        total = np.zeros(len(rows))
        for j in range(d):
            total = total - 0.5 * np.square((rows[:, j] - theta[j]) * inverse[j])
    return total + constant
