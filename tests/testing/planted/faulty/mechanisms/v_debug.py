"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: a flag leaves the noise away.
@dp.own_mechanism("thirteenth.debug", gives=1, takes="l1", loss=lambda scale, distance, debug: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise, *, debug=False):
    """Laplace noise."""
    return np.asarray(value) + (0 if debug else noise.laplace(scale, 1))
