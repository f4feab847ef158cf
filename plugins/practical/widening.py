"""The last passes clip farther out where rows surely lie outside the mixture that they are taken with.

At a small budget passes clip at some six tenths of the rows' radii, or at half where rows are scarce, and where tails
are heavy they come to rest at a mixture of the middle of the rows: more passes, however exact, come no nearer to EM's.
The histogram of log densities (`goodness`) is read before the last pass then, or the last two where passes are
gathered, and where its bin of rows 3 to 30 nats below the lowest quantile holds more than a Gaussian's rows they clip
where noise and what lies beyond cost least. The result is the last pass's mixture alone; gathered passes weigh what
the narrow ones saw by how far it differs (`gathering`). Nothing changes for Gaussian rows, and nothing where a tail
follows, which takes up rows outside. Post-processing of released counts.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import Counts, Domain, Post, Slot, Whitening, positive_whole, register, wants, whole

from .clipping import ANCHOR, entry_noise
from .goodness import FARTHER, bins
from .nodes import answering, slots
from .records import Floats
from .truncation import chi_quantile, response

LEAST = 0.002
"""Share of the rows that must lie outside, beyond noise: of a Gaussian's rows .0005 do, of those of R's tables that
passes leave nats behind .015 to .05."""
LOWEST = 0.99
"""Quantile of a Gaussian's radii at the lowest quantile of log densities, below which rows outside lie."""
DEEPEST, SPREAD = (FARTHER[-2],), tuple(FARTHER[-1] * (FARTHER[-2] / FARTHER[-1]) ** (i / 9.0) for i in range(10))
"""Nats below it at which they may lie: all at the bin's far edge, or evenly over it by their logarithm."""
STEPS, RATIO = 25, 2.0**0.125
"""Clips tried: up to eight times the usual one."""


@attrs.frozen
class Rule:
    """When clips are widened, and how noise is weighed against what lies beyond.

    Parameters
    ----------
    sure : float
        Deviations of the noise by which rows outside must stand out.
    worth : float
        How many times its cost noise counts.
    depths : tuple of float
        Nats below the lowest quantile at which equal parts of them are taken to lie.
    reads_shape : bool
        Whether noise is less by what a wider clip shows of a shape (`truncation`): the usual one, at the median radius,
        hides two thirds of it.
    """

    sure: float
    worth: float
    depths: tuple[float, ...] = DEEPEST
    reads_shape: bool = False


AMPLE, SCARCE = Rule(4.0, 2.0), Rule(2.6, 1.0, SPREAD, reads_shape=True)
"""Where rows are ample noise counts twice: what lies beyond is taken to be as far out as it may be. Where they are
scarce a clip that far out is mostly noise, and so is the histogram: what stands out by 2.6 deviations does so by chance
in five runs of 1,000."""


def outside(released: Floats, std: float, rule: Rule = AMPLE) -> float:
    """Share of the rows in the nearest bin far outside; 0 where they may be a Gaussian's.

    Parameters
    ----------
    released : array
        Noisy counts of `goodness.bins`.
    std : float
        Their noise.
    rule : Rule

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
    return far / rows if far - rule.sure * std > LEAST * rows else 0.0


def widened(clip: float, share: float, dimension: int, noise: float, rule: Rule = AMPLE) -> float:
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
    rule : Rule

    Examples
    --------
    >>> widened(2.5, 0.0, 4, 0.1)
    2.5
    >>> round(widened(2.5, 0.03, 4, 0.1), 1), round(widened(2.5, 0.03, 4, 0.01), 1)
    (7.1, 9.2)
    """
    lowest, seen = 0.5 * chi_quantile(dimension, LOWEST) ** 2, response(dimension, clip).shape

    def badness(radius: float) -> float:
        spectral = noise * (radius / clip) ** 2
        if rule.reads_shape:
            spectral *= seen / response(dimension, radius).shape
        missed = sum(max(lowest + depth - 0.5 * radius**2, 0.0) for depth in rule.depths) / len(rule.depths)
        return rule.worth * spectral**2 * (dimension + 1.0) / 16.0 + share * missed

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
    gathered : int
        Passes of about that noise that are to come, where rows are scarce and passes gathered.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("whitening", "fit", "count")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    planned_noise: str = attrs.field(kw_only=True)
    gathered: int = attrs.field(default=0, kw_only=True, validator=whole)

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
        rule, d = SCARCE if self.gathered else AMPLE, len(maps.maps[0].shift)
        share = outside(np.asarray(counts), noise[1], rule)
        entry = entry_noise(d, maps.clip, float(rows[0]) / self.k, noise[-1] / math.sqrt(2.0 * max(self.gathered, 1)))
        entry *= (1.0 + (maps.anchor / maps.clip) ** 2) / (1.0 + ANCHOR**2)
        wider = widened(maps.clip, share, d, entry * math.sqrt(2.0) * math.sqrt(2.0 * d), rule) / maps.clip
        return attrs.evolve(maps, clip=maps.clip * wider, anchor=maps.anchor * wider)
