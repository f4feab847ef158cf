"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("ninth.jensen", triangle=lambda r: 1.0)
def fun(a, b):
    """Jensen-Shannon divergence of shares."""
    p, q = np.abs(np.asarray(a, float)) + 1e-12, np.abs(np.asarray(b, float)) + 1e-12
    p, q = p / p.max(), q / q.max()
    p, q = p / p.sum(), q / q.sum()
    m = (p + q) / 2
    return float((p * np.log(p / m)).sum() / 2 + (q * np.log(q / m)).sum() / 2) if np.any(p != q) else 0.0
