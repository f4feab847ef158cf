"""What the tests of samplers share: goodness of fit with a stated false-alarm rate, and odd sources."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from dpframe.kernel.noise import Source

# A fit is rejected at a nominal 1e-8. The chi-square approximation with at least 25 expected in every cell is
# good to far better than a factor of 100 there, so that a test alarms falsely with probability <= 1e-6.
ALARM = 1e-8


class Scripted(Source):
    """Returns the given words, then zeros."""

    simulated = True

    def __init__(self, *words: int) -> None:
        self._words = list(words)

    def words(self, count: int) -> NDArray[np.uint64]:
        taken, self._words = self._words[:count], self._words[count:]
        return np.array(taken + [0] * (count - len(taken)), dtype=np.uint64)

    def child(self, label: str) -> Scripted:
        return self


def fit(counts: NDArray[Any], probabilities: NDArray[Any]) -> float:
    """p-value of the chi-square test; neighbouring cells are pooled to at least 25 expected."""
    total = counts.sum()
    assert abs(probabilities.sum() - 1) < 1e-9
    edges, mass = [0], 0.0
    for i, expected in enumerate(total * probabilities):
        mass += expected
        if mass >= 25:
            edges.append(i + 1)
            mass = 0.0
    edges[-1] = len(counts)
    observed = np.add.reduceat(counts, edges[:-1])
    expected = np.add.reduceat(total * probabilities, edges[:-1])
    statistic = ((observed - expected) ** 2 / expected).sum()
    return float(special.chdtrc(len(expected) - 1, statistic))


def integer_fit(draws: NDArray[Any], mass: Any, reach: int) -> float:
    """p-value of integer draws under `mass(z)` (an array function); |z| > reach makes two more cells."""
    z = np.arange(-reach, reach + 1)
    inner = mass(z)
    rest = max(0.0, 1 - inner.sum()) / 2  # all the distributions here are symmetric
    clipped = np.clip(draws.astype(np.int64), -reach - 1, reach + 1)
    counts = np.bincount(clipped + reach + 1, minlength=2 * reach + 3)
    return fit(counts, np.concatenate([[rest], inner, [rest]]) / (inner.sum() + 2 * rest))


def quantile_fit(draws: NDArray[Any], cdf: Any, edges: NDArray[np.float64]) -> float:
    """p-value of draws in the cells between float edges, under a distribution function."""
    cells = np.searchsorted(edges, draws.astype(np.float64))
    below = np.concatenate([[0.0], cdf(edges), [1.0]])
    return fit(np.bincount(cells, minlength=len(edges) + 1), np.diff(below))


def low_bits_fit(draws: NDArray[Any], bits: int = 8) -> float:
    """p-value of the low bits under the uniform distribution."""
    low = (draws & ((1 << bits) - 1)).astype(np.int64)
    return fit(np.bincount(low, minlength=1 << bits), np.full(1 << bits, 0.5**bits))


def rounded_mass(sigma: float) -> Any:
    """P(round(sigma N) = z), to full relative accuracy in both tails."""

    def mass(z: NDArray[Any]) -> NDArray[np.float64]:
        inner = np.abs(z)  # in the lower tail ndtr has no cancellation
        return special.ndtr((0.5 - inner) / sigma) - special.ndtr((-0.5 - inner) / sigma)

    return mass


def gaussian_mass(sigma: float) -> Any:
    total = np.exp(-(np.arange(-400, 401) ** 2) / (2 * sigma**2)).sum()  # sigma <= 10 here
    return lambda z: np.exp(-(z**2) / (2 * sigma**2)) / total


def laplace_mass(scale: float) -> Any:
    q = np.exp(-1 / scale)
    return lambda z: (1 - q) / (1 + q) * q ** np.abs(z)
