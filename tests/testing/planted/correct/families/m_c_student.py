"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import math


# Family: Student's t with three degrees, of columns of their own.
@dp.family("twelfth.c_student", size=lambda d: d, sample=lambda theta, n, g: theta + g.standard_t(3, (n, len(theta))), fit=lambda rows, g: np.median(rows, axis=0), example=lambda d, g: g.normal(size=d))
def fun(rows, theta):
    """Independent t with 3 degrees of freedom."""
    total = np.zeros(len(rows))
    for j in range(len(theta)):
        with np.errstate(all="ignore"):
            total = total - 2.0 * np.log1p(np.square(rows[:, j] - theta[j]) / 3.0) + math.log(2 / (math.pi * math.sqrt(3)))
    return total
