"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("eighth.eps_param", gives=1, takes="l1", loss=lambda scale, distance, temperature: dp.Pure(dp.round_up(distance / scale)), source="me", examples={"temperature": 1.0})
def f(v, scale, noise, *, temperature):
    """Laplace with a temperature."""
    return v + noise.laplace(scale * temperature, 1)
