"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


# Continued fractions, row by row in exact arithmetic.
from fractions import Fraction


@dp.own_transform("rounds.fraction", columns=1)
def fraction(rows):
    """The nearest fraction of a denominator up to 1000, of a number held within 1000."""
    held = np.clip(rows[:, 0], -1000, 1000)
    made = [float(Fraction(float(v)).limit_denominator(1000)) if v == v else np.nan for v in held]
    return np.array(made).reshape(-1, 1)
