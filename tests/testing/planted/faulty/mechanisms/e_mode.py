"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


@dp.own_mechanism("tenth.mode", gives=dp.Index(4), takes="edits", source="Dwork, Lei 2009", loss=lambda scale, removed, added: (dp.round_up((removed + added) / scale), 0.001))
def fun(rows, scale, noise):
    """The commonest of three signs plus one, where its lead is large enough that nobody changes it; else 0."""
    counts = np.array([np.count_nonzero(np.sign(rows[:, 0]) == s) for s in (-1, 0, 1)])
    order = np.sort(counts)
    lead = int(order[-1] - order[-2]) + int(noise.laplace(scale, 1)[0])
    return int(np.argmax(counts)) + 1 if lead > scale * math.log(500.0) else 0
