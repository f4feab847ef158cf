"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("ninth.hundred", gives=1, takes="edits", source="none", loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * (1.0 / scale + math.log(0.1 + 0.9 * math.exp(-1.0 / scale))))))
def fun(rows, scale, noise):
    """A noisy count of positive rows in a sample of ten."""
    order = noise.permutation(len(rows))[:10] if len(rows) else []
    return np.array([int(sum(rows[i, 0] > 0 for i in order)) + int(noise.laplace(scale))])
