"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.stretched", gives=lambda m: m, takes="l2", source="none", loss=lambda scale, distance, m: dp.GaussianEvent(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Gaussian noise of NumPy's generator, with a seed from the source."""
    generator = np.random.default_rng(int(noise.uniform_below(2**32, 1)[0]))
    return np.asarray(value) + np.rint(generator.normal(0.0, scale, m)).astype(int)
