"""The subspace spanned by the component means, from a noisy Gram matrix in frame units."""

from __future__ import annotations

import math

import attrs
import numpy as np

from .records import Floats, as_floats

SPAN = 6.0
"""Deviations of the table that become 1 along the coordinates of a turned subspace (`turning`)."""
NARROW, WIDE = 0.05, 1.5
"""There, in deviations of the table, what quantiles of pairs say elsewhere: eight thicknesses apart each of two
clusters has .24 of one, each of five .09."""

THIN = 1e-9
"""The least variance inside a subspace over that outside of it: cells of columns that hold few values (0 and 1) show
components of no width at all, which float64 knows no covariance of."""


@attrs.frozen(eq=False)
class Spread:
    """The table's variances along the axes of its noisy Gram matrix.

    Parameters
    ----------
    axes : array of shape (d, d)
        Orthonormal columns, leading variance first.
    variances : array of shape (d,)
        Falling; 0 where noise drowns them.
    noise : float
        Spectral norm of the noise in the variances, positive: twice as much drowns an axis.
    """

    axes: Floats = attrs.field(converter=as_floats)
    variances: Floats = attrs.field(converter=as_floats)
    noise: float

    @property
    def clear(self) -> int:
        """How many axes stand out of the noise: the leading ones."""
        return int((self.variances > 0.0).sum())

    def white(self) -> Floats:
        """Axes over deviations, (d, clear): along each the table has variance 1."""
        found = self.clear
        return as_floats(self.axes[:, :found] / np.sqrt(self.variances[:found]))


@attrs.frozen(eq=False)
class Subspace:
    """Released directions and the table's mean variance across them.

    Parameters
    ----------
    basis : array of shape (d, p)
        Orthonormal columns, leading variance first; where it is `turned`, coordinates of equal variance.
    residual_variance : float or None
        Mean variance along the directions *outside* the basis; None where it is unknown
        (no such directions, or drowned in noise).
    spread : Spread or None
        Of the Gram matrix, where one was released.
    back : array of shape (d, p) or None
        Of a turned basis: a row's most likely place, given its coordinates.
    residual : array of shape (d, d) or None
        Of a turned basis: the table's covariance given the coordinates.
    """

    basis: Floats = attrs.field(converter=as_floats)
    residual_variance: float | None
    spread: Spread | None = None
    back: Floats | None = None
    residual: Floats | None = None

    @property
    def known(self) -> Floats | None:
        """The directions that a mixture found in it knows of, where those are not all."""
        return self.basis if self.basis.shape[1] < len(self.basis) else None

    def whole(self, means: Floats, covariances: Floats, otherwise: float) -> tuple[Floats, Floats]:
        """Means (k, p) and covariances (k, p, p) in the frame, all with the *same* covariance outside the subspace.

        Equal terms cancel in the responsibilities, so that a first pass assigns rows by the subspace alone and
        finds what a component's mean is outside it: principal directions may miss a small component.
        ``otherwise`` is the variance outside it where that is unknown.
        """
        d, p = self.basis.shape
        if self.back is not None and self.residual is not None:
            return as_floats(means @ self.back.T), as_floats(self.back @ covariances @ self.back.T + self.residual)
        outside = np.eye(d) - self.basis @ self.basis.T if p < d else np.zeros((d, d))
        residual = otherwise if self.residual_variance is None else self.residual_variance
        inside = self.basis @ wider(covariances, THIN * residual * (p < d)) @ self.basis.T
        return as_floats(means @ self.basis.T), as_floats(inside + residual * outside)


def wider(covariances: Floats, least: float) -> Floats:
    """Covariances (k, p, p) of which none is narrower than a variance in any direction: as they are where none is.

    Examples
    --------
    >>> wider(np.array([[[1e-20]], [[2.0]]]), 1e-9).ravel().tolist()
    [1e-09, 2.0]
    """
    short = np.maximum(least - np.linalg.eigvalsh(covariances)[:, 0], 0.0)
    return as_floats(covariances + short[:, None, None] * np.eye(covariances.shape[-1]))


def identity_subspace(dimension: int) -> Subspace:
    """All of the space: what is used when ``d <= max(k - 1, 1)`` and no Gram is released."""
    return Subspace(np.eye(dimension), None)


def subspace_dimension(dimension: int, components: int) -> int:
    """``min(d, max(k - 1, 1))``: centred means of k components span at most k - 1 dimensions."""
    return min(dimension, max(components - 1, 1))


def subspace(gram: Floats, gram_std: float, rows: float, rank: int) -> Subspace:
    """Leading ``rank`` eigenvectors of a noisy centred Gram.

    Parameters
    ----------
    gram : array of shape (d, d)
        Noisy ``sum y y^T`` of rows in frame units (clipped to the unit ball).
    gram_std : float
        Noise of a diagonal entry (off-diagonal entries: divided by sqrt 2).
    rows : float
        Noisy number of valid rows.
    rank : int
        At most d.
    """
    d = gram.shape[0]
    rows = max(rows, 1.0)
    values, vectors = np.linalg.eigh(0.5 * (as_floats(gram) + as_floats(gram).T))
    falling, axes = values[::-1] / rows, vectors[:, ::-1]
    noise = max(gram_std * math.sqrt(2.0 * d) / rows, float(np.finfo(float).tiny))
    spread = Spread(axes, np.where(falling > 2.0 * noise, falling, 0.0), noise)
    basis = axes[:, :rank]
    if rank >= d:
        return Subspace(basis, None, spread)
    residual = float(falling[rank:].mean())
    known = residual > 2.0 * gram_std / rows / math.sqrt(d - rank)
    return Subspace(basis, residual if known else None, spread)
