"""Lists that the decoders make from released bins: which bins are heavy, nets around them, static bounds."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from dpframe.plugin import EXPONENTS as DYADIC
from dpframe.plugin import GaussianValue, SpecError

Pair = tuple[float, float]
"""Mean and standard deviation."""
EDGE = 2**52 - 1
"""Bins so far out hold rows that are only known to be farther."""


@attrs.frozen
class Accuracy:
    """What a decoder is asked for: total variation α of a component that is 1 − γ of the rows.

    Parameters
    ----------
    alpha : float
        In (0, 1] times the dimension at most: nets of step α/d.
    gamma : float
        In (0, 1): the part of the rows that may come from anywhere else.
    """

    alpha: float
    gamma: float

    def __attrs_post_init__(self) -> None:
        if not (0.0 < self.alpha < math.inf and 0.0 < self.gamma < 1.0):
            raise SpecError(
                f"a decoder needs alpha > 0 and gamma between 0 and 1, not {self.alpha!r} and {self.gamma!r}",
                fix="Algorithm 1 uses alpha/18 and 1 - alpha/(18 k)",
            )

    def heavy(self, rows: int, d: int = 1) -> float:
        """Rows above which a bin is kept: three eighths of what a component puts into its own, (1 − γ)·3^(−d)."""
        return 0.375 * 3.0**-d * (1.0 - self.gamma) * rows

    def most_bins(self, d: int = 1) -> int:
        """More heavy bins than this are a failure: 12/(1 − γ) in one dimension."""
        return _whole(4.0 * 3.0**d / (1.0 - self.gamma))

    def heavy_scale(self, pairs: int) -> float:
        """Pairs above which a dyadic bin is kept."""
        return (1.0 - self.gamma) ** 2 * pairs / 8.0

    def most_scales(self) -> int:
        """12/(1 − γ)², or all exponents of float64."""
        return min(_whole(12.0 / (1.0 - self.gamma) ** 2), DYADIC)

    def mean_net(self, d: int = 1) -> list[float]:
        """Offsets within one released scale, in scales: jα/d, |j| <= ⌈d/α⌉ (Algorithm 4)."""
        most = math.ceil(d / self.alpha)
        return [j * self.alpha / d for j in range(-most, most + 1)]

    def known_net(self, d: int = 1) -> list[float]:
        """Offsets within one known standard deviation: 2jα/d, |j| <= ⌈d/2α⌉ (Corollaries 4.5 and E.2)."""
        most = math.ceil(d / (2.0 * self.alpha))
        return [2.0 * j * self.alpha / d for j in range(-most, most + 1)]

    def sd_net(self, d: int = 1) -> list[float]:
        """Factors of a released scale: 2^(c − 1), c a multiple of log₂(1 + α/d) up to 1 (Algorithm 4)."""
        step = math.log2(1.0 + self.alpha / d)
        return [2.0 ** (c * step - 1.0) for c in range(1, math.ceil(1.0 / step) + 1)]


def _whole(value: float) -> int:
    """Rounded down, up to what a list can be told to hold."""
    return max(1, math.floor(min(value * (1.0 + 1e-12), 2.0**62)))


def bounded(*factors: float, limit: int) -> int:
    """A product of sizes as a static bound, or the limit that a list is not written out beyond.

    Examples
    --------
    >>> bounded(10, 20, limit=1000), bounded(1e9, 1e9, limit=1000)
    (200, 1000)
    """
    return max(1, int(min(math.prod(factors), limit)))


def heavy_bins(ids: Sequence[int], counts: Sequence[float], bar: float, most: int) -> list[int]:
    """Bins above the bar, but for the outermost; none where there are too many, as the paper's decoder fails then."""
    kept = [int(i) for i, c in zip(ids, counts, strict=True) if c > bar and abs(i) < EDGE]
    return kept if len(kept) <= most else []


def around(centre: float, scale: float, offsets: Sequence[float], factors: Sequence[float]) -> Iterator[Pair]:
    """Every offset with every factor: the pairs that one bin of width ``scale`` lists."""
    for offset, factor in itertools.product(offsets, factors):
        yield centre + offset * scale, factor * scale


def products(columns: Sequence[Sequence[Pair]]) -> Iterator[GaussianValue]:
    """Gaussians with independent coordinates: every choice of one pair a column."""
    for chosen in itertools.product(*columns):
        pairs = np.array(chosen)
        yield GaussianValue(pairs[:, 0].copy(), np.diag(pairs[:, 1] ** 2))


def combinations(columns: list[list[float]], most: int) -> Iterator[tuple[float, ...]]:
    """Choices of one scale a column: all of them, or place by place where they are more than ``most``."""
    if math.prod(len(c) for c in columns) <= most:
        yield from itertools.product(*columns)
        return
    for place in range(max(len(c) for c in columns)):
        yield tuple(c[min(place, len(c) - 1)] for c in columns)


def is_gaussian(pair: Pair) -> bool:
    """Whether mean and variance have a form in float64."""
    return math.isfinite(pair[0]) and 0.0 < pair[1] < 2.0**500 and pair[1] ** 2 > 0.0
