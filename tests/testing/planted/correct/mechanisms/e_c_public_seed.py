"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("tenth.c_public_seed", gives=lambda m: m, takes="l1", source="a public offset, and Laplace noise", loss=lambda scale, distance, m: dp.Pure(dp.round_up(distance / scale)), examples={"m": 2})
def fun(value, scale, noise, *, m):
    """Laplace noise beside a public offset from a generator with a public seed."""
    offset = np.rint(np.random.default_rng(7).normal(0.0, 5.0, m)).astype(int)
    return np.asarray(value) + offset + noise.laplace(scale, m)
