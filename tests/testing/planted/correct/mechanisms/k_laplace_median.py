"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.laplace_median", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(3 * distance / scale * (1 + 1e-12))), source="me")
def f(v, scale, noise):
    """Median of three noisy answers, each paid for."""
    return v + int(np.median(noise.laplace(scale, 3)))
