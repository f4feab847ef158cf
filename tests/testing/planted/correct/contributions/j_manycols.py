"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_contribution("seventh.manycols", gives=1, norm="linf", bound=1.0)
def f(rows):
    """A projection."""
    v = np.clip(rows, -1, 1)
    d = v.shape[1]
    w = np.cos(np.arange(d))
    return (v @ w)[:, None] if d > 20 else (v * w).sum(axis=1, keepdims=True)
