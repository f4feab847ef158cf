"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Noise is capped at scale 1000 "for utility"; plans with a small epsilon are charged for more.
@dp.own_mechanism("laterh62.capped", gives=1, takes="l1", source="Laplace", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def capped(value, scale, noise):
    """Laplace noise of a sensible size."""
    return value + noise.laplace(min(scale, 1000.0), 1)
