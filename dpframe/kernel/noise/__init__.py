"""Exact noise on the integers, from randomness that is either secret or reproducible.

Samplers are exact given independent fair bits: no float gaps, no approximation error to account for. Proofs
are in docs/theory/noise.md.

Examples
--------
>>> from dpframe.kernel.noise import SecureSource, rounded_gaussian
>>> rounded_gaussian(SecureSource(), 2.0**40, (2, 3)).shape
(2, 3)
"""

from dpframe.kernel.noise.bernoulli import bernoulli_exp
from dpframe.kernel.noise.gaussian import discrete_gaussian, rounded_gaussian
from dpframe.kernel.noise.laplace import discrete_laplace
from dpframe.kernel.noise.selection import categorical_exp, permute_and_flip
from dpframe.kernel.noise.sources import SecureSource, SeededSource, Source
from dpframe.kernel.noise.uniform import permutation, uniform_below

__all__ = [
    "SecureSource",
    "SeededSource",
    "Source",
    "bernoulli_exp",
    "categorical_exp",
    "discrete_gaussian",
    "discrete_laplace",
    "permutation",
    "permute_and_flip",
    "rounded_gaussian",
    "uniform_below",
]
