"""Terrific balls that released cells show: many rows inside, many outside, hardly any in the annulus between."""

from __future__ import annotations

import math

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.plugin import BallValue
from dpframe_plugins.practical.cells import Points
from dpframe_plugins.practical.records import Floats

MOST_CENTRES = 400
"""Released centres that are tried, the fullest ones."""
STRAY = (0.0, 0.25, 1.0)
"""Parts of the least number of rows that the coarsest cells may hold and not be seen where they hide every gap: what is
left of a coarse cell, with finer ones in it, lies somewhere between them. The test of a ball asks rows, not cells."""


@attrs.frozen(eq=False)
class Gap:
    """A gap around a centre: cells reach out to ``inner``, the next begin at ``outer``.

    Attributes
    ----------
    centre : (p,)
        Mean of the cells inside.
    others : (p,)
        Mean of those outside.
    """

    centre: Floats
    others: Floats
    inner: float
    outer: float

    @property
    def ratio(self) -> float:
        """How wide the gap is."""
        return self.outer / self.inner

    def ball(self, c: float) -> BallValue:
        """The ball whose annulus, from r to c·r, lies in the middle of the gap."""
        return BallValue(self.centre, math.sqrt(self.inner * self.outer / c))

    @property
    def split(self) -> BallValue:
        """The ball that parts the rows: at r·√c for every c."""
        return BallValue(self.centre, math.sqrt(self.inner * self.outer))


def gaps(data: Points, least: float, c: float, most: int) -> list[Gap]:
    """Up to ``most`` gaps of ratio c or more, the widest first, with ``least`` rows on either side.

    Parameters
    ----------
    data : Points
        Released cells.
    least : float
    c : float
        Above 1.
    most : int

    Examples
    --------
    >>> cells = Points([[0.0], [1.0], [30.0], [32.0]], [9.0, 9.0, 5.0, 5.0], [0.01] * 4)
    >>> found = gaps(cells, 8.0, 3.0, 2)
    >>> [(gap.centre.tolist(), round(gap.ratio)) for gap in found]
    [([0.5], 49), ([31.0], 27)]
    """
    order = np.argsort(-data.weights, kind="stable")[:MOST_CENTRES]
    data = Points(data.positions[order], data.weights[order], data.variances[order])
    coarse = np.lexsort((data.weights, -data.variances))
    seen = np.empty(len(coarse))
    seen[coarse] = np.cumsum(data.weights[coarse])
    found: list[Gap] = []
    for part in STRAY:
        kept = seen > part * least
        found = _gaps(Points(data.positions[kept], data.weights[kept], data.variances[kept]), least, c)
        if found:
            break
    return found[:most]


def _gaps(data: Points, least: float, c: float) -> list[Gap]:
    """All gaps between these cells, the widest first."""
    half = np.sqrt(data.variances * data.positions.shape[1])  # how far its rows lie from its centre, in square mean
    found: dict[bytes, Gap] = {}
    for centre in data.positions:
        for held in _sides(data, half, centre, least, c):
            key = held.tobytes()
            if key in found:
                continue
            gap = _around(data, half, held)
            if gap is not None and gap.ratio >= c:
                found[key] = gap
    return sorted(found.values(), key=lambda gap: -gap.ratio)


def _sides(data: Points, half: Floats, centre: Floats, least: float, c: float) -> list[NDArray[np.bool_]]:
    """The sets of cells inside gaps around one centre."""
    away = np.linalg.norm(data.positions - centre, axis=1)
    order = np.argsort(away, kind="stable")
    inner = np.maximum.accumulate((away + half)[order])[:-1]
    outer = np.minimum.accumulate((away - half)[order][::-1])[::-1][1:]
    held = np.cumsum(data.weights[order])[:-1]
    good = (outer >= math.sqrt(c) * inner) & (held >= least) & (data.weights.sum() - held >= least)
    sets = []
    for place in np.flatnonzero(good):
        inside = np.zeros(len(away), dtype=np.bool_)
        inside[order[: place + 1]] = True
        sets.append(inside)
    return sets


def _around(data: Points, half: Floats, held: NDArray[np.bool_]) -> Gap | None:
    """The gap about the mean of the cells inside."""
    weights = np.where(held, data.weights, 0.0)
    centre = weights @ data.positions / weights.sum()
    rest = data.weights - weights
    away = np.linalg.norm(data.positions - centre, axis=1)
    inner, outer = float((away + half)[held].max()), float((away - half)[~held].min())
    if not 0 < inner < outer < math.inf:
        return None
    return Gap(centre, rest @ data.positions / rest.sum(), inner, outer)
