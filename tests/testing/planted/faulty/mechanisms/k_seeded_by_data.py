"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.seeded_by_data", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace by inverse transform."""
    rng = np.random.default_rng(int(abs(float(v[0]))) + int(noise.uniform_below(4)))
    return v + np.rint(rng.laplace(0, scale, 1))
