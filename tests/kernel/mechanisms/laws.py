"""Laws of noise on a lattice, for the tests of mechanisms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def laplace_pmf(scale: float, reach: int) -> np.ndarray[Any, Any]:
    z = np.arange(-reach, reach + 1)
    pmf = np.exp(-np.abs(z) / scale)
    return pmf * (1 - math.exp(-1 / scale)) / (1 + math.exp(-1 / scale))
