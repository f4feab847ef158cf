"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# The largest of Gaussian scores, charged as one Gaussian of one score; two that move against each other cost
# twice.
@dp.own_mechanism("laterh55.max", gives=dp.Index, takes="linf", source="report noisy max", examples={"m": 3},
    loss=lambda scale, distance, m: dp.Concentrated(dp.round_up(distance**2 / (2 * scale**2))))


def largest(scores, scale, noise, *, m):
    """The index of the largest noisy score."""
    return int(np.argmax(scores + noise.rounded_gaussian(scale, m)))
