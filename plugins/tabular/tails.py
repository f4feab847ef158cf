"""How much of a sum a clip takes off, from noisy counts of distances: of rows that bins show, and of a tail they don't.

Noise hides a bin of a hundred rows and more, and of a skewed column a tenth of the rows may lie in such bins. Bins
together show what single ones hide; beyond the last that shows, counts fall as those before them do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from dpframe_plugins.classic.search import occupied

Floats = NDArray[np.float64]
SURE, NEAR = 5.7, 4
"""Deviations that an empty bin passes in less than one histogram in a million; bins that are near (a factor 2)."""
WINDOWS, CLEAR = (2, 4, 8), 4.5
"""Bins that are looked at together, and deviations of the noise that show such as are near the others."""
BACK, AHEAD, FAR = 3, 8, 60
"""Bins before the last that shows, and after it, to which a tail is fitted; bins to which it is followed."""
FALLS, BENDS = np.linspace(0.05, 0.95, 19), np.array([1.0, 0.97, 0.94, 0.9, 0.8, 0.6])
"""Ratios of two bins' counts, at first, and what the ratio is multiplied by from bin to bin."""
SLOW = np.array([0.3, 0.5, 0.6, 0.7, 0.8])
"""The same ratios of a second tail."""
STEEPEST, TRUST = 0.85, 4.0
"""A ratio at which tails are believed no more, and how firmly steeper ones are preferred: for a light tail in doubt."""
FINITE = 0.96
"""Most that a bin adds to a sum over the one before it, where ratios stay the same: else a tail has no sum."""


def without_strays(counts: Floats, std: float) -> Floats:
    """Noisy counts of the bins that rows are in, without one that lies apart from these and may be noise.

    Of a thousand histograms one has an empty bin that passes for occupied. Far out it would make the ball up to 256
    times too wide, and what is released in it useless. Beyond the last bin that noise explains in less than one
    histogram in a million a bin therefore counts only if it is near, or near one that does.

    Examples
    --------
    >>> without_strays(np.array([0.0, 90.0, 80.0, 45.0, 0.0, 0.0, 0.0, 0.0, 0.0, 45.0]), 10.0).tolist()
    [0.0, 90.0, 80.0, 45.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    >>> without_strays(np.array([0.0, 90.0, 80.0, 45.0, 0.0, 0.0, 0.0, 0.0, 0.0, 65.0]), 10.0).tolist()
    [0.0, 90.0, 80.0, 45.0, 0.0, 0.0, 0.0, 0.0, 0.0, 65.0]
    """
    kept = occupied(counts, std)
    sure = np.flatnonzero(kept > 0.5 * (std > 0.0) + SURE * std)
    if not sure.size:
        return kept
    last = int(sure[-1])
    for place in np.flatnonzero(kept[last + 1 :]) + last + 1:
        if place - last > NEAR:
            break
        last = int(place)
    return np.where(np.arange(len(kept)) <= last, kept, 0.0)


def shown(counts: Floats, std: float) -> tuple[Floats, int, int]:
    """Counts of bins that stand out alone or together, the last such bin, and the first to fit a tail to.

    A tail begins at the fullest bin or after it. Bins together that lie apart must be as sure as a single one is.

    Examples
    --------
    >>> counts = np.array([0.0, 900.0, 90.0, 90.0, 90.0, 90.0, 0.0])
    >>> shown(counts, 27.0)
    (array([  0., 900.,  90.,  90.,  90.,  90.,   0.]), 5, 2)
    """
    seen = without_strays(counts, std) > 0.0
    others = np.where(seen, 0.0, counts)
    last, back = int(np.flatnonzero(seen)[-1]) if seen.any() else -1, BACK
    for width in WINDOWS:
        sure = np.convolve(others, np.ones(width), "valid") / np.sqrt(width)
        for first in np.flatnonzero(sure > CLEAR * std).tolist():
            if first - last > NEAR and not sure[first] > SURE * std:
                continue
            seen[first : first + width] = True
            end = first + int(np.flatnonzero(others[first : first + width] > std).max(initial=0))
            if end > last:
                last, back = end, max(BACK, width)
    rows = np.where(seen & (np.arange(len(counts)) <= last), counts, 0.0)
    return rows, last, max(last - back, int(np.argmax(rows)), 0)


def tail(counts: Floats, std: float, last: int, begin: int, slowest: float = STEEPEST) -> Floats:
    """Expected counts of the `FAR` bins after the last that shows, whether the histogram has them or not.

    The mean over tails ``a q^t c^(t²)``, t bins from where the fit begins, each as likely as it makes the counts.
    """
    fitted, back = np.arange(begin, min(last + AHEAD, len(counts) - 1) + 1), last - begin
    at, beyond = fitted - begin, np.arange(1, FAR + 1) + back
    falls, bends = (each.ravel() for each in np.meshgrid(FALLS, BENDS))
    usual = (bends < 1.0) | (falls <= slowest)
    logs = np.log(falls[usual]), np.log(bends[usual])
    shapes, ahead = (np.exp(np.outer(logs[0], t) + np.outer(logs[1], t**2)) for t in (at, beyond))
    weights = 1.0 / (std**2 + np.maximum(counts[fitted], 1.0))
    sizes = np.maximum((shapes * weights) @ counts[fitted] / ((shapes**2) @ weights), 0.0)
    ratio = np.exp(logs[0] + (2.0 * back + 1.0) * logs[1])
    likely = -0.5 * ((counts[fitted] - sizes[:, None] * shapes) ** 2) @ weights
    likely = likely + TRUST * np.log(np.maximum(STEEPEST - ratio, 0.01))
    chances = np.exp(likely - likely.max())
    found = np.asarray((chances / chances.sum() * sizes) @ ahead)
    after = counts[last + 1 : last + 1 + AHEAD]
    return found + rest(after - found[: len(after)], std, slowest)


def rest(counts: Floats, std: float, slowest: float = STEEPEST) -> Floats:
    """Expected counts of a second tail ``a q^t`` in `FAR` bins, from noisy counts of the first of these alone.

    Its size is anything from 0 on: what noise may hide is in the mean. So is what one side of skewed rows leaves where
    the other side ends.
    """
    if not len(counts) or not std > 0.0:
        return np.zeros(FAR)
    shapes = SLOW[slowest >= SLOW, None] ** np.arange(FAR)
    near = shapes[:, : len(counts)]
    spread = std / np.linalg.norm(near, axis=1)
    best = np.clip((near @ counts) / np.linalg.norm(near, axis=1) ** 2 / spread, -30.0, 1e9)
    sizes = spread * (best + np.exp(norm.logpdf(best) - norm.logcdf(best)))
    likely = np.log(spread) + 0.5 * best**2 + norm.logcdf(best)
    chances = np.exp(likely - likely.max())
    return np.asarray((chances / chances.sum() * sizes) @ shapes)


def excess(edges: Floats, counts: Floats, std: float, power: int = 1) -> Floats | None:
    """Expected ``Σ max(distance^p − e^p, 0)`` over all rows, for each upper edge e of a bin; None where nothing shows.

    Parameters
    ----------
    edges : array of shape (bins,)
        Upper edges, each the same number of times the one before.
    counts : array of shape (bins,)
        Noisy counts.
    std : float
        Of the noise.
    power : {1, 2}
        The power p.
    """
    rows, last, begin = shown(counts, std)
    if last < 0:
        return None
    ratio = edges[1] / edges[0]
    further = edges[last] * ratio ** np.arange(1.0, FAR + 1.0)
    places = np.concatenate([edges, further]) / np.sqrt(ratio)
    listed = np.concatenate([rows, tail(counts, std, last, begin, FINITE / ratio**power)])
    return np.asarray(np.maximum(np.maximum(places**power - edges[:, None] ** power, 0.0) @ listed, 0.0))
