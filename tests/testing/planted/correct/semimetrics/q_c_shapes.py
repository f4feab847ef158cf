"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.semimetric("eleventh.c_shapes", triangle=lambda r: 1.0)
def fun(a, b):
    """The largest ratio of two covariances in any direction, one added to each, as a logarithm."""
    k = int(np.sqrt(len(a)))
    a, b = np.clip(a, -10.0, 10.0), np.clip(b, -10.0, 10.0)
    if k < 2 or k * k != len(a):
        return float(np.abs(a - b).max(initial=0.0))
    a, b = (x.reshape(k, k) @ x.reshape(k, k).T + np.eye(k) for x in (a, b))
    root = np.linalg.inv(np.linalg.cholesky(b))
    other = np.linalg.inv(np.linalg.cholesky(a))
    return float(max(0.0, np.log(np.linalg.eigvalsh(root @ a @ root.T)[-1]), np.log(np.linalg.eigvalsh(other @ b @ other.T)[-1])))
