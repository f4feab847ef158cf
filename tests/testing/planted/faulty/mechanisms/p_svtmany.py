"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a sparse vector that goes on after an answer (Chen and others; Lyu and others, algorithm 6).
@dp.own_mechanism("sixteenth.svtmany", gives=lambda m: m, takes="linf", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), source="none", examples={"m": 3})
def f(value, scale, noise, *, m):
    """A mechanism."""
    v = np.ravel(value)
    bar = 3 + noise.laplace(scale, 1)[0]
    return (v + noise.laplace(scale, m) >= bar).astype(int)
