"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: Laplace noise, then the last two digits.
@dp.own_mechanism("fourteenth.c_modulo", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """Noisy count modulo 100."""
    return (np.ravel(value)[:1] + noise.laplace(scale, 1)) % 100
