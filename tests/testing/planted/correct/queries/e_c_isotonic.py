"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


from scipy.optimize import isotonic_regression


@dp.own_query("tenth.c_isotonic", gives=lambda m: m, bits=20, source="Yang, Barber 2019: nonexpansive in every such norm", sensitivity=lambda a, m: {"linf": a["linf"] * (1 + 1e-9)}, examples={"m": 4})
def fun(counts, *, m):
    """The nearest rising counts."""
    x = np.zeros(m)
    x[: min(m, len(counts))] = np.asarray(counts, dtype=float)[:m]
    return np.asarray(isotonic_regression(x).x)
