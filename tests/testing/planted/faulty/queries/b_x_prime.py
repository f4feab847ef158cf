"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Query: two more at primes above 200.
@dp.own_query("fifteenth.x_prime", gives=lambda: 1, sensitivity=lambda distance: {"linf": distance["linf"]}, source="none", bits=20)
def f(value):
    """A query."""
    v = np.ravel(value).astype(float)
    x = int(v[0])
    return [float(x + 2 * (200 < x < 10**7 and all(x % p for p in range(2, int(x**0.5) + 1))))]
