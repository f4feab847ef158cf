"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Laplace noise, each number with its public weight; weights have mean 1.
import math
@dp.own_mechanism(
    "nineteenth.weights_by_mean",
    gives=lambda weights: len(weights),
    takes="l1",
    loss=lambda scale, distance, weights: dp.Pure(dp.round_up(distance / scale)),
    source="a paper",
    examples={'weights': [1.0, 1.0]},
)
def weights_by_mean(value, scale, noise, *, weights):
    """Laplace noise, each number with its public weight; weights have mean 1."""
    relative = np.array(weights) / np.mean(weights)
    return value + np.array([int(noise.laplace(scale * float(w))) for w in relative])
