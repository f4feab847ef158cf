"""The noise that a plugin's mechanism is handed: the kernel's exact samplers, and nothing else."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from dpframe.kernel import noise
from dpframe.kernel.noise.parameters import Size


class Sampler:
    """Exact draws of whole numbers, all from one source; scales are in lattice steps.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> draws = Sampler(SeededSource(1)).geometric(3.0, 1000)
    >>> int(draws.min()), bool(2.0 < draws.mean() < 3.0)
    (0, True)
    """

    __slots__ = ("_source",)

    def __init__(self, source: noise.Source) -> None:
        self._source = source

    def laplace(self, scale: float, size: Size = ()) -> Any:
        """Discrete Laplace: P(Z = z) ∝ e^(−|z|/scale)."""
        return noise.discrete_laplace(self._source, scale, size)

    def gaussian(self, sigma: float, size: Size = ()) -> Any:
        """Discrete Gaussian: P(Z = z) ∝ e^(−z²/2σ²)."""
        return noise.discrete_gaussian(self._source, sigma, size)

    def rounded_gaussian(self, sigma: float, size: Size = ()) -> Any:
        """A continuous Gaussian, rounded to the nearest whole number."""
        return noise.rounded_gaussian(self._source, sigma, size)

    def geometric(self, scale: float, size: int = 1) -> Any:
        """Exponential noise on the lattice: P(G = g) = (1 − e^(−1/scale))·e^(−g/scale) for g = 0, 1, ...

        Discrete Laplace draws that are not negative: given Z >= 0, P(Z = g) ∝ e^(−g/scale), exactly.
        """
        found = np.zeros(0, dtype=np.int64)
        while len(found) < size:
            drawn = np.atleast_1d(noise.discrete_laplace(self._source, scale, size - len(found)))
            found = np.append(found, drawn[drawn >= 0])
        return found

    def uniform_below(self, bound: int, size: Size = ()) -> Any:
        """Uniform on 0 .. bound − 1."""
        return noise.uniform_below(self._source, bound, size)

    def permutation(self, count: int) -> Any:
        """A uniformly random order of 0 .. count − 1."""
        return noise.permutation(self._source, count)

    def bernoulli_exp(self, exponents: Any) -> Any:
        """True with probability e^(−exponent), one for each exponent."""
        return noise.bernoulli_exp(self._source, exponents)

    def categorical_exp(self, scores: Any, rate: Fraction | float, size: Size = ()) -> Any:
        """An index with probability proportional to e^(rate·score), for whole scores."""
        return noise.categorical_exp(self._source, scores, rate, size)
