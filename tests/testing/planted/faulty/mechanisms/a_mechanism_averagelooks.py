"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: the mean of four looks, four times the noise budget claimed once.
@dp.own_mechanism("fourteenth.mechanism_averagelooks", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """The mean of four noisy counts."""
    v = int(np.ravel(value)[0])
    return np.array([v + int(np.floor(noise.laplace(scale, 4).sum() / 4))])
