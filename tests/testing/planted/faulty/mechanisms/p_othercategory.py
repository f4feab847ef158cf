"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: randomised response of three answers with two answers' probability.
@dp.own_mechanism("sixteenth.othercategory", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up((distance > 0) / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    k = int(v[0]) % 3
    if noise.bernoulli_exp([float(np.log1p(np.exp(-1 / scale)))])[0]:
        return np.array([k])
    return (k + 1 + noise.uniform_below(2, 1)) % 3
