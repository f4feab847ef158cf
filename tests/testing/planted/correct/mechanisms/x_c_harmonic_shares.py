"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Laplace noise that grows from number to number; shares 1/i over ln(m) + 1.
import math
@dp.own_mechanism(
    "nineteenth.ok_harmonic_shares",
    gives=lambda m: m,
    takes="linf",
    loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale * (1 + 1e-12))),
    source="a paper",
    examples={'m': 3},
)
def ok_harmonic_shares(value, scale, noise, *, m):
    """Laplace noise that grows from number to number; shares 1/i over ln(m) + 1."""
    total = math.log(m) + 1
    return value + np.array([int(noise.laplace(scale * total * (i + 1))) for i in range(m)])
