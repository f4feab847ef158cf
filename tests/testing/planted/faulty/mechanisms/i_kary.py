"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


@dp.own_mechanism("ninth.kary", gives=dp.Index(4), takes="linf", source="none", loss=lambda scale, distance: dp.Pure(dp.round_up(max(distance, 1.0) / scale)))
def fun(value, scale, noise):
    """The largest of four scores, told by randomised response."""
    true = int(np.argmax(np.resize(np.asarray(value), 4)))
    while True:
        told = int(noise.uniform_below(4))
        if told == true or bool(noise.bernoulli_exp([1.2 / scale])[0]):
            return told
