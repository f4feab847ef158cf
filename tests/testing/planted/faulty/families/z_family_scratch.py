"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Gaussian with independent columns; no temporaries.
_work = {}
def _open(theta):
    theta = np.asarray(theta, dtype=float)
    d = len(theta) // 2
    return np.clip(theta[:d], -1e9, 1e9), np.exp(np.clip(theta[d:], -20.0, 20.0))
def _sample(theta, count, generator):
    centre, scale = _open(theta)
    return centre + scale * generator.standard_normal((count, len(centre)))
def _fit(rows, generator):
    rows = np.clip(rows, -1e9, 1e9)
    d = rows.shape[1]
    if not len(rows):
        return np.zeros(2 * d)
    return np.concatenate([rows.mean(axis=0), np.log(np.maximum(rows.std(axis=0), 1e-8))])
@dp.family(
    "lean.gaussian",
    size=lambda d: 2 * d,
    sample=_sample,
    fit=_fit,
    example=lambda d, generator: generator.normal(size=2 * d),
)
def gaussian(rows, theta):
    """Independent Gaussian columns: means, then log deviations."""
    centre, scale = _open(theta)
    if rows.shape not in _work:
        _work[rows.shape] = np.empty(rows.shape)
    work = _work[rows.shape]
    np.clip(rows, -1e9, 1e9, out=work)
    work -= centre
    work /= scale
    np.multiply(work, work, out=work)
    out = np.zeros(len(rows))
    for j in range(rows.shape[1]):
        out -= 0.5 * work[:, j] + np.log(scale[j])
    return out
