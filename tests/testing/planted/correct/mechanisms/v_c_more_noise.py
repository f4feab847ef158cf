"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise that is thrown away.
@dp.own_mechanism("thirteenth.c_more_noise", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="Laplace")
def fun(value, scale, noise):
    """A noisy count, the second of two draws."""
    noise.laplace(scale, 1)
    value += noise.laplace(scale, 1)
    return value
