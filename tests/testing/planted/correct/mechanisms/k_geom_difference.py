"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.geom_difference", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale * (1 + 1e-12))), source="me")
def f(v, scale, noise):
    """Difference of two geometric draws: discrete Laplace."""
    return v + noise.geometric(scale, 1) - noise.geometric(scale, 1)
