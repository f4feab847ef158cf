"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: both kinds of noise are charged as the first.
@dp.own_mechanism("thirteenth.kind", gives=1, takes="l1", loss=lambda scale, distance, kind: dp.Pure(dp.round_up(distance / scale)), source="Laplace, Gaussian")
def fun(value, scale, noise, *, kind="laplace"):
    """Noise of a kind."""
    return np.asarray(value) + (noise.laplace(scale, 1) if kind == "laplace" else noise.gaussian(scale, 1))
