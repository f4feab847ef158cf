"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy import stats


@dp.family(
    "tenth.c_gamma",
    size=lambda d: 2 * d,
    sample=lambda t, n, g: g.gamma(np.abs(t[: len(t) // 2]) + 0.1, np.abs(t[len(t) // 2 :]) + 1e-6, (n, len(t) // 2)),
    fit=lambda rows, g: np.concatenate([np.full(rows.shape[1], 1.0), np.abs(rows).mean(axis=0) + 1e-6]),
    example=lambda d, g: np.concatenate([1.0 + g.random(d), 0.5 + g.random(d)]),
)
def fun(rows, theta):
    """Independent Gamma columns, as SciPy has them."""
    d = rows.shape[1]
    total = np.zeros(len(rows))
    for i in range(d):
        x = np.maximum(rows[:, i], 1e-12)
        total = total + stats.gamma.logpdf(x, abs(theta[i]) + 0.1, scale=abs(theta[d + i]) + 1e-6)
    return total
