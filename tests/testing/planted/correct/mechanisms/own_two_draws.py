"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.own_two_draws", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def own_two_draws(value, scale, noise, *, m=1):
    """The difference of two geometric draws is Laplace."""
    return value + noise.geometric(scale, m) - noise.geometric(scale, m)
