"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Contribution: a flag that changes a row's own number.
@dp.own_contribution("thirteenth.c_flag", gives=1, norm="linf", bound=1.0)
def fun(rows, *, centred=False, mode="log", quantile=None, ranked=()):
    """The first column, less the last if asked for."""
    x = rows[:, :1] - rows[:, -1:] if centred else rows[:, :1]
    if mode not in ("log", "root"):
        raise ValueError("log or root")
    x = np.log1p(np.abs(x)) if mode == "log" else np.sqrt(np.abs(x))
    return x if quantile is None else x - float(quantile)
