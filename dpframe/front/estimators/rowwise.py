"""Products, squared distances and sums that give each row the same bits whatever stands beside it.

A private search sums what released models say of private rows, and a pipeline fits what they make of them. Both are
priced for a function of each row: no row may move another one's score or image. BLAS and LAPACK, and sums along an
axis, give a row other last digits in another batch. Here are element-wise steps in an order that the model decides
alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from dpframe.kernel.exact import lattice

Floats: TypeAlias = npt.NDArray[np.float64]
PIECE = 2**12
"""Rows at a time, which a processor keeps in its cache."""
FAR = 1e150
"""Where coordinates in deviations end, and at its square products, so that sums and differences are finite."""


def products(rows: Floats, matrix: Any) -> Floats:
    """``rows @ matrix`` of (n, d) and (d, k), no sum beyond FAR²; NaN for rows of NaN.

    Examples
    --------
    >>> products(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])).tolist()
    [[11.0]]
    """
    total = np.zeros((len(rows), np.shape(matrix)[1]))
    with np.errstate(all="ignore"):
        for column, factors in zip(rows.T, np.asarray(matrix), strict=True):
            total += column[:, None] * factors
            np.clip(total, -FAR * FAR, FAR * FAR, out=total)
    return total


def squared_distances(rows: Floats, mean: Any, root: Any) -> Floats:
    """‖L⁻¹(x − mean)‖² of rows (n, d), by forward substitution in the triangular root L; each coordinate at most FAR.

    Examples
    --------
    >>> squared_distances(np.array([[2.0, 6.0]]), np.zeros(2), np.diag([1.0, 2.0])).tolist()
    [13.0]
    """
    found = np.empty(len(rows))
    with np.errstate(all="ignore"):
        for start in range(0, len(rows), PIECE):
            z = rows[start : start + PIECE].T - np.asarray(mean)[:, None]
            for i, line in enumerate(np.asarray(root)):
                for factor, above in zip(line[:i].tolist(), z, strict=False):
                    if factor:
                        z[i] -= factor * above
                z[i] = np.clip(z[i] / line[i], -FAR, FAR)
            found[start : start + PIECE] = total(np.square(z))
    return found


def total(parts: Iterable[Floats]) -> Floats:
    """The sum of arrays, one after the other."""
    first, *others = parts
    made = first.copy()
    for part in others:
        made += part
    return made


def log_total(joint: Floats) -> Floats:
    """Log of Σ_j exp(joint_j) of rows (n, k).

    Examples
    --------
    >>> log_total(np.log(np.array([[0.25, 0.75]]))).round(12).tolist()
    [0.0]
    """
    top = joint.max(axis=1)
    safe = np.where(np.isfinite(top), top, 0.0)
    found: Floats = safe + lattice.log_det(total(lattice.exp_det(log - safe) for log in joint.T))
    return np.where(np.isfinite(top), found, top)
