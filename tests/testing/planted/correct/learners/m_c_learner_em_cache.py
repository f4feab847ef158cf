"""A plugin."""

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp


import functools


# Learner: an lru_cache of public nodes of a quadrature.
@functools.lru_cache
def nodes(k):
    return np.polynomial.hermite.hermgauss(k)
@dp.learner("twelfth.c_learner_em_cache")
def fun(rows, generator):
    """A smoothed mean by quadrature."""
    at, weight = nodes(9)
    mean = rows.mean(axis=0)
    return (sum(w * np.tanh(mean + t) for t, w in zip(at, weight)),)
