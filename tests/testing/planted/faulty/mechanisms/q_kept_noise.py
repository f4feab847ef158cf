"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


NOISE = []


@dp.own_mechanism("eleventh.kept_noise", gives=1, takes="l1", source="Dwork and others 2006", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)))
def fun(value, scale, noise):
    """Laplace noise, all of it from one source."""
    NOISE.append(noise)
    return np.asarray(value) + NOISE[0].laplace(scale, 1)
