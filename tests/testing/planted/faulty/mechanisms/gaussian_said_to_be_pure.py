"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("mine.gaussian_said_to_be_pure", gives=dp.Counts, takes="l1", loss=lambda scale, distance, m: distance / scale, source="Laplace")
def gaussian_said_to_be_pure(value, scale, noise, *, m=1):
    """Gaussian noise at the price of Laplace."""
    return value + noise.gaussian(scale, m)
