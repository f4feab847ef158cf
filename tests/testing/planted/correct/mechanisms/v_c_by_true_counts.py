"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise on counts in their order, which move no further than the counts.
@dp.own_mechanism("thirteenth.c_by_true_counts", gives=lambda m: m, takes="l1", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="Laplace", examples={"m": 3})
def fun(value, scale, noise, *, m):
    """Noisy counts, the largest first."""
    value = np.asarray(value)
    order = np.argsort(-value, kind="stable")
    return (value + noise.laplace(scale, m))[order]
