"""The last pass clips farther out where rows surely lie outside the mixture that it is taken with.

At a small budget passes clip at some six tenths of the rows' radii, and where tails are heavy they come to rest at a
mixture of the middle of the rows: more passes, however exact, come no nearer to EM's. The histogram of log densities
(`goodness`) is read before the last pass then, and where its bin of rows 3 to 30 nats below the lowest quantile holds
more than a Gaussian's rows the last pass clips where noise and what lies beyond cost least. The result is that pass's
mixture alone. Nothing changes for Gaussian rows, and nothing where a tail follows, which takes up rows outside.
Post-processing of released counts.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import Counts, Domain, Post, Slot, Whitening, positive_whole, register, wants

from .clipping import entry_noise
from .goodness import FARTHER, bins
from .nodes import answering, slots
from .records import Floats
from .truncation import chi_quantile

SURE, LEAST = 4.0, 0.002
"""Deviations of the noise, and a share of the rows, by which rows outside must stand out: of a Gaussian's rows .0005
lie there, of those of R's tables that passes leave nats behind .015 to .05."""
DEPTH, LOWEST = FARTHER[-2], 0.99
"""Nats below the lowest quantile at which such rows may lie, at most; and the quantile of a Gaussian's radii there."""
WORTH = 2.0
"""How many times its cost noise counts: what lies beyond is taken to be as far out as it may be."""
STEPS, RATIO = 25, 2.0**0.125
"""Clips tried: up to eight times the usual one."""


def outside(released: Floats, std: float) -> float:
    """Share of the rows in the nearest bin far outside; 0 where they may be a Gaussian's.

    Parameters
    ----------
    released : array
        Noisy counts of `goodness.bins`.
    std : float
        Their noise.

    Examples
    --------
    >>> wide = np.zeros((11, 11))
    >>> wide[:, -1] = [0, 0, 300, 200, 400, 1500, 2000, 2000, 2000, 1500, 100]
    >>> outside(wide, 30.0), outside(wide, 80.0)
    (0.03, 0.0)
    """
    counts = bins(released)
    nearest = len(FARTHER) - 1
    far, rows = float(counts[nearest]), max(float(np.maximum(counts[nearest:], 0.0).sum()), 1.0)
    return far / rows if far - SURE * std > LEAST * rows else 0.0


def widened(clip: float, share: float, dimension: int, noise: float) -> float:
    """The clip at which noise of covariances and rows beyond it cost least, by the nats that both may cost.

    Parameters
    ----------
    clip : float
        The usual radius.
    share : float
        Of the rows that lie outside.
    dimension : int
    noise : float
        Spectral norm of the noise in a covariance at the usual radius; it grows with the radius squared.

    Examples
    --------
    >>> widened(2.5, 0.0, 4, 0.1)
    2.5
    >>> round(widened(2.5, 0.03, 4, 0.1), 1), round(widened(2.5, 0.03, 4, 0.01), 1)
    (7.1, 9.2)
    """
    farthest = 0.5 * chi_quantile(dimension, LOWEST) ** 2 + DEPTH

    def badness(radius: float) -> float:
        spent = WORTH * noise**2 * (radius / clip) ** 4 * (dimension + 1.0) / 16.0
        return spent + share * max(farthest - 0.5 * radius**2, 0.0)

    radii: list[float] = [clip * RATIO**i for i in range(STEPS if share > 0.0 else 1)]
    return min(radii, key=badness)


@register("practical.widened")
@attrs.frozen
class Widened(Post):
    """Whitening maps with a wider clip where a histogram of log densities shows rows outside.

    Parameters
    ----------
    planned_noise : str
        Name of the mechanism that will release what is seen through these maps.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("whitening", "fit", "count")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    planned_noise: str = attrs.field(kw_only=True)

    def told(self) -> tuple[str, ...]:
        """The release that is to come."""
        return (self.planned_noise,)

    def output(self, *inputs: Domain) -> Domain:
        """A whitening."""
        wants(inputs[1], Counts, self.name)
        wants(inputs[2], Counts, self.name)
        return wants(inputs[0], Whitening, self.name)

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Look, and scale clip and anchor alike."""
        maps, counts, rows = values
        share, d = outside(np.asarray(counts), noise[1]), len(maps.maps[0].shift)
        entry = entry_noise(d, maps.clip, float(rows[0]) / self.k, noise[-1] / math.sqrt(2.0))
        wider = widened(maps.clip, share, d, entry * math.sqrt(2.0) * math.sqrt(2.0 * d)) / maps.clip
        return attrs.evolve(maps, clip=maps.clip * wider, anchor=maps.anchor * wider)
