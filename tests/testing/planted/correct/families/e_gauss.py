"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy import stats


@dp.family(
    "tenth.gauss",
    size=lambda d: 2 * d,
    sample=lambda t, n, g: t[: len(t) // 2] + np.abs(t[len(t) // 2 :]) * g.standard_normal((n, len(t) // 2)),
    fit=lambda rows, g: np.concatenate([rows.mean(axis=0), rows.std(axis=0) + 1e-9]),
    example=lambda d, g: np.concatenate([g.standard_normal(d), 0.5 + g.random(d)]),
)
def fun(rows, theta):
    """Gaussian columns that share a tenth of their variance, by a product of SciPy's, always of 256 rows."""
    d = rows.shape[1]
    s = np.abs(theta[d:]) + 1e-9
    return np.atleast_1d(stats.multivariate_normal(theta[:d], 0.9 * np.diag(s * s) + 0.1 * np.outer(s, s)).logpdf(rows))
