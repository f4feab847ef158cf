"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Amplification by Poisson sampling for signs; a replaced row counts as two.
import math


@dp.own_mechanism("laterk44.sampled", gives=1, takes="edits", source="amplification by sampling",
    loss=lambda scale, removed, added: dp.Pure(dp.round_up((removed + added) * float(np.logaddexp(math.log(0.5), math.log(0.5) + 1.0 / scale)))))


def sampled(rows, scale, noise):
    """Laplace noise on the sum of signs of half of the rows."""
    signs = [int(np.sign(v)) for v in rows[:, 0]]
    kept = noise.bernoulli_exp([math.log(2.0)] * len(signs)) if signs else []
    return np.array([sum(s for s, k in zip(signs, kept) if k) + int(noise.laplace(scale))])
