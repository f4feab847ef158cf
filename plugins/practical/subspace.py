"""The subspace spanned by the component means, from a noisy Gram matrix in frame units."""

from __future__ import annotations

import math

import attrs
import numpy as np

from .records import Floats, as_floats


@attrs.frozen(eq=False)
class Subspace:
    """Released directions and the table's mean variance across them.

    Parameters
    ----------
    basis : array of shape (d, p)
        Orthonormal columns, leading variance first.
    residual_variance : float or None
        Mean variance along the directions *outside* the basis; None where it is unknown
        (no such directions, or drowned in noise).
    """

    basis: Floats = attrs.field(converter=as_floats)
    residual_variance: float | None


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
    basis = vectors[:, ::-1][:, :rank]
    if rank >= d:
        return Subspace(basis, None)
    residual = float(values[: d - rank].mean()) / rows
    noise = gram_std / rows / math.sqrt(d - rank)
    return Subspace(basis, residual if residual > 2.0 * noise else None)
