"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: noise cut at ten scales, no δ charged (geometric bounds, smartnoise-core #319).
@dp.own_mechanism("sixteenth.delta0", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    return v[:1] + np.clip(noise.laplace(scale, 1), -int(10 * scale), int(10 * scale))
