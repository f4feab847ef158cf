"""Exact noise on the integers, from randomness that is either secret or reproducible.

Samplers are exact given independent fair bits: no float gaps, no approximation error to account for. Proofs
are in docs/theory/noise.md.

Examples
--------
>>> from dpframe.kernel.noise import SecureSource, rounded_gaussian
>>> rounded_gaussian(SecureSource(), 2.0**40, (2, 3)).shape
(2, 3)
"""

from dpframe.kernel.noise.bernoulli import bernoulli_exp as bernoulli_exp
from dpframe.kernel.noise.gaussian import discrete_gaussian as discrete_gaussian
from dpframe.kernel.noise.gaussian import rounded_gaussian as rounded_gaussian
from dpframe.kernel.noise.laplace import discrete_laplace as discrete_laplace
from dpframe.kernel.noise.selection import categorical_exp as categorical_exp
from dpframe.kernel.noise.selection import permute_and_flip as permute_and_flip
from dpframe.kernel.noise.sources import SecureSource as SecureSource
from dpframe.kernel.noise.sources import SeededSource as SeededSource
from dpframe.kernel.noise.sources import Source as Source
from dpframe.kernel.noise.uniform import permutation as permutation
from dpframe.kernel.noise.uniform import uniform_below as uniform_below
