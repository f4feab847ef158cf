"""Where to count: scales from pairs of rows, grids at these scales, and edges that follow what the grids found."""

from __future__ import annotations

import math
from collections.abc import Iterable

import attrs
import numpy as np
from numpy.typing import NDArray

from dpframe.plugin import LOWEST_EXPONENT as LOWEST

from .fitting import Floats

LEVELS = 12
"""Most grids of a column."""
COVERAGE = 0.98
BUMP = 0.75
FINER = 0.25
SMOOTH = 1.5
MOST_PIECES = 4096
OUTER = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)


@attrs.frozen
class Scales:
    """Of one column: the distance that nearly all pairs stay within, and the least that stands out."""

    wide: float
    narrow: float


def threshold(noise: float, bins: int) -> float:
    """What an empty bin passes in less than one histogram of a hundred."""
    return noise * math.sqrt(2.0 * math.log(100.0 * bins))


def scales(counts: Floats, noise: float, bins: int) -> Scales | None:
    """Scales of one column from the noisy dyadic counts of its pairs; None where no distance stands out.

    A Gaussian's distances fall in two or three bins: a bin stands out alone, or two neighbours do together.
    Within one Gaussian the counts halve from bin to bin below its scale. A bin that holds more than `BUMP` times the
    next wider one is therefore near the scale of something; the lowest such bin is the least scale.
    """
    bar = threshold(noise, bins)
    both = (counts[1:] + counts[:-1] > math.sqrt(2.0) * bar) & (np.minimum(counts[1:], counts[:-1]) > 3.0 * noise)
    kept = np.where((counts > bar) | np.append(both, False) | np.append(False, both), counts, 0.0)
    total = float(kept.sum())
    if total <= 0.0:
        return None
    top = int(np.argmax(np.cumsum(kept) >= COVERAGE * total))
    wider = np.append(kept[1:], 0.0)
    bumps = np.flatnonzero((kept > BUMP * wider + 3.0 * noise) & (kept > 0.0))
    low = min(int(bumps[0]) if len(bumps) else top, top)
    return Scales(_power(top + LOWEST + 1), _power(low + LOWEST + 1))


def _power(exponent: int) -> float:
    return math.ldexp(1.0, min(max(exponent, -900), 900))


def column_grids(column: int, found: Scales, rng: np.random.Generator) -> Floats:
    """Rows (column, offset, size), coarsest first: nested, from twice the wide scale to below the narrow one."""
    coarse = 2.0 * found.wide
    octaves = max(math.ceil(math.log2(coarse) - math.log2(FINER * found.narrow)), 1)
    step = 2 * max(math.ceil(octaves / 2 / (LEVELS - 1)), 1)
    count = min(1 + math.ceil(octaves / step), LEVELS)
    offset = -coarse * float(rng.random())
    return np.array([[column, offset, coarse * 2.0 ** (-step * level)] for level in range(count)])


@attrs.frozen(eq=False)
class Level:
    """Published bins of one grid of one column."""

    offset: float
    size: float
    counts: dict[int, float]


def column_edges(levels: list[Level], most: int, *, finer: int = 1) -> Floats | None:
    """Increasing edges of one column, at most ``most``; None where no bin was published.

    A bin whose rows concentrate in some of its own parts gives way to these; one that is smooth inside is halved; one
    whose parts could not be published is cut in eight. Beyond the last bins come a few wide ones. ``finer`` multiplies
    the numbers of pieces.
    """
    if not levels or not levels[0].counts:
        return None
    for unknown, smooth in ((8 * finer, 2 * finer), (8, 2), (4, 2), (4, 1), (2, 1), (1, 1)):
        edges = _edges(levels, unknown, smooth)
        if len(edges) <= most:
            return edges
    return np.asarray(edges[np.unique(np.linspace(0, len(edges) - 1, most).astype(int))])


def _edges(levels: list[Level], unknown: int, smooth: int) -> Floats:
    found: list[float] = []
    waiting = [(0, i) for i in levels[0].counts]
    for depth, level in enumerate(levels[1:], start=1):  # bins whose parent was not published
        ratio = round(levels[depth - 1].size / level.size)
        waiting += [(depth, i) for i in level.counts if i // ratio not in levels[depth - 1].counts]
    while waiting:
        depth, i = waiting.pop()
        level = levels[depth]
        parts = _parts(levels, depth, i)
        low = level.offset + level.size * i
        if parts is None:
            cuts = smooth if depth == len(levels) - 1 else unknown
            found += [low + level.size * (j / cuts) for j in range(-cuts, 2 * cuts + 1)]
        elif _is_smooth(levels, depth, i):
            found += [low + level.size * (j / smooth) for j in range(smooth + 1)]
        else:
            ratio = round(level.size / levels[depth + 1].size)
            found += [low + level.size * (j / ratio) for j in _pieces(parts, i, ratio)]
            waiting += [(depth + 1, j) for j in parts]
    edges = _distinct(np.sort(np.array(found)), levels[-1].size / 4.0)
    reach = levels[0].size * np.array(OUTER)
    return _distinct(np.concatenate([edges[0] - reach[::-1], edges, edges[-1] + reach]), 0.0)


def _pieces(parts: dict[int, float], i: int, ratio: int) -> Iterable[int]:
    """Where a bin is cut: at all of its parts, or only around the published ones where there are too many."""
    if ratio <= MOST_PIECES:
        return range(ratio + 1)
    return sorted({0, ratio} | {j - i * ratio + side for j in parts for side in (0, 1)})


def _parts(levels: list[Level], depth: int, i: int, down: int = 1) -> dict[int, float] | None:
    """Published parts of a bin, so many levels down, that hold more than half of it."""
    if depth + down >= len(levels):
        return None
    ratio = round(levels[depth].size / levels[depth + down].size)
    below = levels[depth + down].counts
    if ratio <= len(below):
        parts = {j: below[j] for j in range(i * ratio, (i + 1) * ratio) if j in below}
    else:
        parts = {j: c for j, c in below.items() if j // ratio == i}
    return parts if sum(parts.values()) > 0.5 * levels[depth].counts[i] else None


def _is_smooth(levels: list[Level], depth: int, i: int) -> bool:
    """Whether no part of a bin holds much more than its share, on any level that shows most of it.

    One level is not enough: clusters side by side may fill parts of their own distance evenly.
    """
    count = levels[depth].counts[i]
    for down in range(1, len(levels) - depth):
        parts = _parts(levels, depth, i, down)
        if parts is None:
            return down > 1
        ratio = round(levels[depth].size / levels[depth + down].size)
        if (down == 1 and len(parts) < ratio) or max(parts.values()) >= SMOOTH * count / ratio:
            return False
    return True


def _distinct(edges: Floats, gap: float) -> Floats:
    """Sorted edges without those that follow another closer than about ``gap``."""
    edges = edges[np.isfinite(edges)]
    kept = [edges[0]]
    for edge in edges[1:]:
        if edge > kept[-1] and edge - kept[-1] > 0.9 * gap:
            kept.append(edge)
    return np.array(kept)


def quantile_edges(edges: Floats, counts: Floats, noise: float, cells: int) -> Floats:
    """``cells − 1`` of the edges that cut the noisy counts into parts of about equal mass.

    Each edge is one of the given ones or inside a bin, where rows are taken as uniform.
    """
    kept = np.where(counts > 2.0 * noise, counts, 0.0)
    if kept.sum() <= 0.0:
        kept = np.ones_like(counts)
    inner = np.concatenate([[kept[:2].sum()], kept[2:-2], [kept[-2:].sum()]]) if len(kept) > 4 else kept[1:-1]
    below = np.concatenate([[0.0], np.cumsum(inner)])
    at = np.interp(np.arange(1, cells) / cells * below[-1], below + np.arange(len(below)) * 1e-9 * below[-1], edges)
    return np.unique(at)


def padded(edges: Floats, length: int) -> Floats:
    """As many edges as asked for: the last one repeated, so that nothing falls in the added bins."""
    return np.concatenate([edges, np.full(length - len(edges), edges[-1])])


def real_bins(edges: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Distinct edges and which bins of the padded list they make."""
    rising = np.concatenate([[True], np.diff(edges) > 0.0])
    return edges[rising], np.concatenate([np.flatnonzero(rising), [len(edges)]])
