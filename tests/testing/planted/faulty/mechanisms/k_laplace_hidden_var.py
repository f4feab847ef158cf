"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.laplace_hidden_var", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="me")
def f(v, scale, noise):
    """Laplace on a coarser lattice: rounds to 4 steps first, after noise of the same scale."""
    return 4 * (np.rint(v / 4) + np.rint(noise.laplace(scale, 1) / 4))
