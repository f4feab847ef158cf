"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.ptr_no_noise", gives=1, takes="edits", loss=lambda scale, removed, added: (dp.round_up((removed + added) / scale), 1e-6), source="Dwork and Lei")
def f(rows, scale, noise):
    """Count if there are enough rows."""
    n = len(rows)
    if n < 5:
        return np.array([0.0])
    return np.array([n + 1000.0]) + noise.laplace(scale, 1)
