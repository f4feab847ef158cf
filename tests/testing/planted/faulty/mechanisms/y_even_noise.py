"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise is made even, so the parity of the value is released.
@dp.own_mechanism("laterh58.even", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def even(value, scale, noise):
    """Twice a Laplace draw of half the scale."""
    return value + 2 * noise.laplace(scale / 2, 1)
