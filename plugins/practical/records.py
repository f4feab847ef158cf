"""Released values that travel between the steps of the practical mixture.

Everything here is post-processing: no record ever holds a private row or an exact statistic.
From `locate` on, all lengths are in *frame units*: a row ``x`` becomes ``(x - center) / radius`` of the
located ball, so the numbers stay near 1 whatever the table's shift and scale.
"""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def as_floats(value: object) -> Floats:
    """Return ``value`` as a C-ordered float64 array (a copy only where needed)."""
    return np.ascontiguousarray(value, dtype=np.float64)


@attrs.frozen(eq=False)
class Ball:
    """A released ball in table units.

    Parameters
    ----------
    center : array of shape (d,)
    radius : float
        Positive and finite.
    """

    center: Floats = attrs.field(converter=as_floats)
    radius: float = attrs.field(converter=float)

    def __attrs_post_init__(self) -> None:
        if not (self.radius > 0.0 and np.isfinite(self.radius) and np.isfinite(self.center).all()):
            raise ValueError("a ball needs a finite centre and a positive finite radius")


@attrs.frozen(eq=False)
class Mixture:
    """A released Gaussian mixture, in frame units.

    Parameters
    ----------
    weights : array of shape (k,)
        Non-negative, summing to 1.
    means : array of shape (k, d)
    cholesky : array of shape (k, d, d)
        Lower triangular ``L`` with positive diagonal; the covariance is ``L @ L.T``.
    noise : array of shape (k,)
        Spectral norm of the noise in each whitened covariance of the pass it came from; empty for a first mixture.
    copies : int
        How many releases of equal share the next pass has, to be averaged.
    laws : tuple
        The components' laws of radii (`radii.Law`, None where unknown); empty before they are released.
    gathered : gathering.Gathered or None
        What passes have seen so far, where they are gathered.
    basis : array of shape (d, p) or None
        The directions that a first mixture was found in, where those are not all and passes are gathered.
    mean_noise : array of shape (k,)
        Standard deviation of the noise in a coordinate of each whitened mean, as ``noise``.
    """

    weights: Floats = attrs.field(converter=as_floats)
    means: Floats = attrs.field(converter=as_floats)
    cholesky: Floats = attrs.field(converter=as_floats)
    noise: Floats = attrs.field(converter=as_floats, factory=lambda: np.zeros(0))
    copies: int = 1
    laws: tuple[Any, ...] = ()
    gathered: Any = None
    basis: Floats | None = None
    mean_noise: Floats = attrs.field(converter=as_floats, factory=lambda: np.zeros(0))

    @property
    def covariances(self) -> Floats:
        """Covariances of shape (k, d, d)."""
        return self.cholesky @ np.swapaxes(self.cholesky, 1, 2)


NARROWEST = 2.0**-15
"""Of a component's deviations, over the largest: what is narrower is widened to it."""


def conditioned(roots: Floats, narrowest: float = NARROWEST) -> Floats:
    """Lower triangular roots of covariances, those too narrow in some direction widened there.

    Where columns determine one another (a total beside its parts) each pass finds a component narrower than the one
    before, without end: its covariance would be singular in float64.

    Parameters
    ----------
    roots : array of shape (k, d, d)
        With positive diagonals.
    narrowest : float
        Least deviation, over the component's largest.

    Examples
    --------
    >>> roots = np.array([[[1.0, 0.0], [1.0, 2.0**-20]], [[1.0, 0.0], [1.0, 1.0]]])
    >>> conditioned(roots).round(6).tolist()
    [[[1.0, 0.0], [1.0, 6.1e-05]], [[1.0, 0.0], [1.0, 1.0]]]
    """
    values = np.linalg.svd(roots, compute_uv=False)
    narrow = values[:, -1] < narrowest * values[:, 0]
    if not narrow.any():
        return roots
    held, (left, values, _) = roots.copy(), np.linalg.svd(roots[narrow])
    widened = left * np.maximum(values, narrowest * values[:, :1])[:, None, :]
    upper = np.linalg.qr(np.swapaxes(widened, 1, 2), mode="r")
    held[narrow] = np.swapaxes(upper * np.sign(np.diagonal(upper, axis1=1, axis2=2))[:, :, None], 1, 2)
    return held


def flattened(roots: Floats) -> Floats:
    """Roots, in no special form, without what `conditioned` put in: rows have no known spread there.

    Examples
    --------
    >>> flattened(conditioned(np.array([[[1.0, 0.0], [0.0, 2.0**-20]]]))).round(6).tolist()
    [[[1.0, 0.0], [0.0, 0.0]]]
    """
    values = np.linalg.svd(roots, compute_uv=False)
    least = (1.0 + 2.0**-10) * NARROWEST
    if (values[:, -1] > least * values[:, 0]).all():
        return roots
    left, values, right = np.linalg.svd(roots)
    return as_floats((left * np.where(values > least * values[:, :1], values, 0.0)[:, None, :]) @ right)


@attrs.frozen(eq=False)
class Moments:
    """Noisy soft moments of rows whitened by each component of a released mixture.

    With ``z`` the whitened row clipped to radius ``clip`` and ``g`` its responsibility:
    ``counts`` estimates ``sum g``, ``sums`` ``sum g z`` and ``grams`` ``sum g z z^T``.
    The ``*_std`` fields are the known standard deviations of the noise: of a count, of one coordinate
    of a sum, and of a *diagonal* entry of a Gram (off-diagonal entries have ``gram_std / sqrt(2)``).
    """

    clip: float
    counts: Floats = attrs.field(converter=as_floats)
    sums: Floats = attrs.field(converter=as_floats)
    grams: Floats = attrs.field(converter=as_floats)
    count_std: float
    sum_std: float
    gram_std: float


@attrs.frozen(eq=False)
class Cells:
    """Published cells of one level of the nested histogram.

    Parameters
    ----------
    size : float
        Side of a cell.
    index : integer array of shape (m, p)
        Cell ``i`` is the box ``offset + size * (index[i] + [0, 1]^p)``.
    counts : array of shape (m,)
        Noisy counts, all above the threshold.
    """

    size: float
    index: NDArray[np.int64]
    counts: Floats = attrs.field(converter=as_floats)
