"""Cell sizes from a noisy histogram of pair distances (in the subspace, frame units).

The distance of a random pair, divided by sqrt 2, says how tight the tightest clusters are (its 2 %
quantile) and how wide the table is (98 %), whatever the location.
"""

from __future__ import annotations

import math

import numpy as np

from .locate import occupied, radial_edges
from .records import Floats, as_floats

LOWER, UPPER = 0.02, 0.98
FINEST = 1.5
MIN_LEVELS, MAX_LEVELS = 3, 10


def pair_edges() -> Floats:
    """Half-dyadic edges from 2^-30 times the frame's diameter up to it; 61 edges, 62 bins."""
    return radial_edges(2.0, bins=61)


def quantile_range(edges: Floats, counts: Floats, std: float) -> tuple[float, float] | None:
    """(2 %, 98 %) quantiles of ``|x - x'| / sqrt 2`` from the noisy histogram, or None if it is all noise."""
    kept = occupied(counts, std)
    total = float(kept.sum())
    if total <= 0.0:
        return None
    ends = np.concatenate([edges, [edges[-1] * edges[-1] / edges[-2]]])
    below = np.cumsum(kept)
    low = int(np.argmax(below > LOWER * total))
    high = int(np.argmax(below >= UPPER * total))
    return float(ends[low]) / math.sqrt(2.0), float(ends[high]) / math.sqrt(2.0)


def cell_sizes(quantiles: tuple[float, float] | None, *, scarce: bool = False) -> Floats:
    """Sides of the nested cells, coarsest first, each half of the one before; for scarce rows without the first.

    From the 98 % quantile down to about 1.5 times the 2 % quantile: between `MIN_LEVELS` and `MAX_LEVELS`
    levels (a level more costs little: the noise grows with the square root of their number).
    """
    low, high = quantiles if quantiles is not None else (2.0**-4, 1.0)
    ratio = max(high / (FINEST * low), 1.0)
    levels = min(max(1 + math.ceil(math.log2(ratio) - 0.25), MIN_LEVELS), MAX_LEVELS)
    fine = min(FINEST * low, 1.19 * high / 2.0 ** (levels - 1))
    return as_floats(fine * 2.0 ** np.arange(levels - (2.0 if scarce else 1.0), -1.0, -1.0))
