"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# One-sided noise for a count: its lower end shows the exact value of a neighbour (pure e claimed).
@dp.own_mechanism("laterf49.upwards", gives=1, takes="l1", source="geometric mechanism", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def upwards(value, scale, noise):
    """Never below the truth."""
    return value + noise.geometric(scale, 1)
