"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


class Pairs:
    last = None
    def draw(self, scale, noise):
        if self.last is not None and self.last[0] == scale:
            z, self.last = -self.last[1], None
            return z
        z = noise.laplace(scale, 1)
        self.last = (scale, z)
        return z


pairs = Pairs()


@dp.own_mechanism("seventh.antithetic_calls", gives=1, takes="l1", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="here")
def f(value, scale, noise):
    """Noise in pairs that cancel."""
    return value + pairs.draw(scale, noise)
