"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.row_function("ninth.c_errstate", columns=1)
def fun(values):
    """The first column's inverse; zero's is zero."""
    before = np.seterr(all="ignore")
    try:
        out = 1.0 / values[:, :1]
        return np.where(np.isfinite(out), out, 0.0)
    finally:
        np.seterr(**before)
