"""How far rows lie from the component that sees them: what a clip made for Gaussian tails leaves out, and undoing it.

A released histogram of radii (``weighted_radii``) tells how much of the second moment lies beyond a clip. Where that is
more than a Gaussian's by more than noise and sampling explain, the next passes clip farther out, and what they see is
inverted by the law of these radii in place of chi's: for rows of radius R in a direction uniform on the sphere

    E clip(z) = g m,    g = P(R <= c) + (1 - 1/d) c E[1/R; R > c]
    E clip(z) clip(z)^T = E min(R, c)^2 / d I + a E,    a = (E[R^2; R <= c] / d + c^2 P(R > c) / (d + 2)) / (E R^2 / d)

to first order in the mean m and in the traceless part E of a covariance of trace E R^2; for a Gaussian these are the
factors of `truncation`. Responsibilities are soft: at a fixed point a Gaussian's radii are chi's whatever overlaps it.
Post-processing of released histograms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import attrs
import numpy as np
from numpy.typing import NDArray

from .locate import occupied
from .records import Floats, as_floats
from .truncation import Response, response, undo_scale

Places = NDArray[np.int64]

REACH = 256.0
"""Radii are counted up to this many times √d; what lies farther is counted there."""
EDGES, RATIO = 40, 2.0**0.25
SURE = 4.0
"""Deviations by which the moment beyond the clip must exceed a Gaussian's."""
LEFT, SLACK = 0.7, 0.02
"""Part of an excess beyond the clip that the inversion may not undo (rows are no ellipsoids), and part of the moment
beyond that is not worth a larger clip."""
GAP = 2
"""Bins from one occupied one to the next in a tail: a factor of 1.4 in the radius."""
SURE_OF_TAIL = 4.5
"""Deviations of the noise by which a few bins next to a tail must stand out together."""
STEPS = 17
"""Clips tried: from the one for Gaussians to sixteen times that."""


@attrs.frozen(eq=False)
class Law:
    """Released radii of one component's rows, in units where its covariance has the trace d.

    Parameters
    ----------
    squares, shares : arrays of shape (m,)
        Squared radii of the bins, increasing, and the rows' shares in them, which sum to 1.
    weight : float
        How much of the law is believed, 0 to 1; the rest is the Gaussian's.
    trust : float
        Standard error of the second moment that lies beyond the clip.
    last : int
        The last bin that was kept.
    """

    squares: Floats = attrs.field(converter=as_floats)
    shares: Floats = attrs.field(converter=as_floats)
    weight: float
    trust: float
    last: int

    def second(self, clip: float, scale: float = 1.0) -> float:
        """E min(R, c)² / d of the law at a scale."""
        d = float(self.shares @ self.squares)
        return float(self.shares @ np.minimum(scale * self.squares, clip * clip)) / d

    def response(self, clip: float) -> Response:
        """Factors for radii clipped at ``clip``: as `truncation.response`."""
        d, square = float(self.shares @ self.squares), clip * clip
        far = self.squares > square
        out = float(self.shares @ far)
        inside = float(self.shares @ np.where(far, 0.0, self.squares)) / d
        inverse = float(self.shares @ np.where(far, 1.0 / np.sqrt(np.maximum(self.squares, 1e-300)), 0.0))
        mean = 1.0 - out + (1.0 - 1.0 / d) * clip * inverse
        return Response(inside + square / d * out, max(mean, 1e-3), max(inside + square / (d + 2.0) * out, 1e-3))

    def undo(self, clip: float, observed: float) -> float:
        """The scale at which the clipped second moment is the observed one, as `truncation.undo_scale`."""
        d = float(self.shares @ self.squares)
        top = clip * clip / d
        target = min(max(observed, 1e-6 * top), 0.97 * top)
        low, high = target, target * 1e4
        for _ in range(60):
            middle = math.sqrt(low * high)
            if self.second(clip, middle) < target:
                low = middle
            else:
                high = middle
        return math.sqrt(low * high)


def scale_of(dimension: int, clip: float, observed: float, law: Law | None) -> float:
    """The isotropic variance behind an observed clipped second moment."""
    gaussian = undo_scale(dimension, clip, observed)
    if law is None or law.weight <= 0.0:
        return gaussian
    return float(gaussian ** (1.0 - law.weight) * law.undo(clip, observed) ** law.weight)


def factors(dimension: int, clip: float, law: Law | None) -> Response:
    """Factors of a unit component's clipped moments."""
    gaussian = response(dimension, clip)
    if law is None or law.weight <= 0.0:
        return gaussian
    own, w = law.response(clip), law.weight
    return Response(
        (1.0 - w) * gaussian.second + w * own.second,
        (1.0 - w) * gaussian.mean + w * own.mean,
        (1.0 - w) * gaussian.shape + w * own.shape,
    )


def edges(dimension: int) -> Floats:
    """Edges of the released bins, in whitened units.

    Examples
    --------
    >>> edges(1)[[0, -1]].round(3).tolist()
    [0.25, 215.269]
    """
    return as_floats(REACH * math.sqrt(dimension) * RATIO ** np.arange(-float(EDGES), 0.0))


def law(counts: Floats, std: float, dimension: int, clip: float) -> tuple[Law, float] | None:
    """A component's law from its noisy histogram, and the factor that its Gaussian scale must be multiplied by.

    None where nothing stands out of the noise. Bins up to one past the last that stands out are kept, without those
    beyond a gap.

    Parameters
    ----------
    counts : array of shape (EDGES + 1,)
    std : float
        Noise of a count.
    dimension : int
    clip : float
        Radius of the pass that the Gaussian scale came from.
    """
    from scipy.special import gammainc

    kept = _without_outliers(np.flatnonzero(occupied(counts, std)))
    if not kept.size:
        return None
    last = min(_with_thin_tail(counts, std, int(kept[-1])) + 1, EDGES - 1)
    ends = edges(dimension)[: last + 1]
    squares = np.concatenate([[ends[0] ** 2 * dimension / (dimension + 2.0)], ends[1:] * ends[:-1]])
    noisy = as_floats(counts[: last + 1])
    first = max(int(kept[0]) - 1, 0)
    shares = np.where(np.arange(last + 1) >= first, np.maximum(noisy, 0.0), 0.0)
    rows = float(shares.sum())
    shares = shares / rows
    level = float(shares @ np.minimum(squares, clip * clip)) / dimension
    gaussian = undo_scale(dimension, clip, level)
    chi = np.diff(np.concatenate([[0.0], gammainc(0.5 * dimension, 0.5 * ends**2 / gaussian)]))
    beyond = np.maximum(squares - clip * clip, 0.0) / dimension
    excess = float((shares - chi) @ beyond)
    error = std / rows * math.sqrt(float(beyond @ beyond))
    scale = float(shares @ squares) / dimension
    weight = max(0.0, 1.0 - (SURE * error / excess) ** 2) if excess > 0.0 else 0.0
    factor = (scale / gaussian) ** weight
    return Law(squares / scale, shares, weight, error / scale, last), factor


def _without_outliers(kept: Places) -> Places:
    """Occupied bins up to the first gap of two: what lies beyond it is no tail, and would swallow the clusters.

    Examples
    --------
    >>> _without_outliers(np.array([3, 4, 6, 9, 10])).tolist()
    [3, 4, 6]
    """
    gaps = np.flatnonzero(np.diff(kept) > GAP)
    return kept[: gaps[0] + 1] if gaps.size else kept


def _with_thin_tail(counts: Floats, std: float, last: int) -> int:
    """The last bin of a tail that goes on below the noise of one bin: while a few bins together stand out of it."""
    while True:
        for width in (1, 2, 4):
            part = counts[last + 1 : last + 1 + width]
            if part.size == width and part.sum() > SURE_OF_TAIL * std * math.sqrt(width):
                last += width
                break
        else:
            return last


def missing(law: Law, dimension: int, clip: float) -> float:
    """Second moment beyond a clip, less a Gaussian's, in units of the component's own."""
    return (1.0 - law.second(clip)) - (1.0 - response(dimension, clip).second)


def wider(clip: float, laws: Sequence[Law | None], dimension: int, noise: float) -> float:
    """The clip at which excess moments left out and noise together are least; the given one for Gaussians.

    Parameters
    ----------
    clip : float
        The radius for Gaussian tails.
    laws : sequence of Law or None
    dimension : int
    noise : float
        Of a covariance's entry at this radius, for a component of mean weight; it grows with the radius squared.
    """
    heavy = [own for own in laws if own is not None and own.weight > 0.0]
    if not heavy:
        return clip

    def badness(radius: float) -> float:
        total = noise**2 * (radius / clip) ** 4 * (dimension + 1.0) / 2.0 * len(laws)
        for own in heavy:
            beyond = 1.0 - own.second(radius)
            left = max(missing(own, dimension, radius) - SLACK * beyond, 0.0)
            total += (LEFT * own.weight * left) ** 2
        return total

    radii: list[float] = [clip * 2.0 ** (0.25 * i) for i in range(STEPS)]
    return min(radii, key=badness)
