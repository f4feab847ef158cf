"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Value + noise*(n1+n2)/sqrt2 in floats (rounded nowhere).
import math


@dp.semimetric("outside.f40.d", triangle=lambda r: 1.0)
def distance(a, b):
    """Euclid's."""
    return float(np.sqrt(((a - b) ** 2).sum()))



@dp.mask("outside.f40", semimetric="outside.f40.d", cost=lambda noise, r: dp.GaussianEvent(dp.lattice_gaussian_mu(noise, r * (1 + 1e-12))))
def twice(value, noise, normals):
    """Two draws, so that no single one can be undone."""
    first, second = normals(len(value)), normals(len(value))
    return value + noise * (first + second) / math.sqrt(2)
