"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: each bit of a category flipped with one bit's price (RAPPOR).
@dp.own_mechanism("sixteenth.unary", gives=3, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up((distance > 0) / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    b = np.eye(3, dtype=int)[int(v[0]) % 3]
    keep = noise.bernoulli_exp(np.full(3, float(np.log1p(np.exp(-1 / scale)))))
    return np.where(keep, b, 1 - b)
