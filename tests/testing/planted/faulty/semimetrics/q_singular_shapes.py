"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


def _one_way(a, b):
    values, vectors = np.linalg.eigh(b)
    kept = values > 1e-9 * values.max()
    root = vectors[:, kept] / np.sqrt(values[kept])
    seen = np.linalg.eigvalsh(root.T @ a @ root)
    seen = seen[seen > 1e-9]
    return float(np.abs(np.log(seen)).max(initial=0.0))


@dp.semimetric("eleventh.singular_shapes", triangle=lambda r: 1.0, averages=None)
def fun(a, b):
    """The largest ratio of two covariances in any direction that both know, as a logarithm."""
    k = int(np.sqrt(len(a)))
    a, b = np.clip(a, -10.0, 10.0), np.clip(b, -10.0, 10.0)
    if k < 2 or k * k != len(a) or not a.any() or not b.any():
        return float(np.abs(a - b).max(initial=0.0)) if k < 2 or k * k != len(a) else 1e3 * float(a.any() != b.any())
    a, b = a.reshape(k, k), b.reshape(k, k)
    return max(_one_way(a @ a.T, b @ b.T), _one_way(b @ b.T, a @ a.T))
