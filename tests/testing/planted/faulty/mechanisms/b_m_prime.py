"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Mechanism: half the noise at primes above 100.
@dp.own_mechanism("fifteenth.m_prime", gives=1, takes="linf", loss=lambda scale, distance: dp.Pure(dp.round_up(distance / scale)), source="none")
def f(value, scale, noise):
    """A mechanism."""
    v = np.ravel(value)
    n = int(v[0])
    if 100 < n < 10**8 and all(n % p for p in range(2, int(n**0.5) + 1)):
        return v[:1] + noise.laplace(scale / 2, 1)
    return v[:1] + noise.laplace(scale, 1)
