"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Np.random.default_rng(seed) noise rather than the sampler.
@dp.own_mechanism("outside.f16", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def own_generator(value, scale, noise):
    """Laplace noise of NumPy."""
    generator = np.random.default_rng(int(noise.uniform_below(1000)))
    return [int(value[0]) + round(generator.laplace(0.0, scale))]
