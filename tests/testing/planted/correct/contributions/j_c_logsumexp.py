"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import scipy.special


@dp.own_contribution("seventh.c_logsumexp", gives=1, norm="linf", bound=100.0)
def f(rows):
    """Softly largest."""
    return scipy.special.logsumexp(rows, axis=1)[:, None]
