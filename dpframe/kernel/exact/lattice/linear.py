"""Products and norms of rows, exact or in a fixed order, so that no row sees its neighbours."""

from __future__ import annotations

import math
from typing import final

import numpy as np
import numpy.typing as npt

from dpframe.errors import DomainError
from dpframe.kernel.exact.lattice.clip import Bools, Floats, check_rows, check_vector, finite_rows, small_blocks

REACH = 900
"""Scales are held within 2^±REACH."""


def affine(
    values: npt.ArrayLike,
    valid: npt.ArrayLike,
    shift: npt.ArrayLike,
    matrix: npt.ArrayLike,
    *,
    scale: float,
    limbs: int = 2,
) -> Floats:
    """Evaluate (x − shift) @ matrix row by row, alike to the last bit in every chunk, at the speed of BLAS.

    With w = ⌊(53 − ⌈log₂d⌉)/2⌋ and E the power of two above `scale`, (x − shift)/E and each column of the
    matrix (over a power of two) are rounded to two integer limbs, hi·2^−w + lo·2^−2w; the products hi·hi and
    hi·lo + lo·hi are exact in BLAS and are added in a fixed order.

    Parameters
    ----------
    values, valid
        As in `to_ball`.
    shift : (d,) float64
        Released or public, finite.
    matrix : (d, p) float64
        Released or public, finite.
    scale : float
        The domain |x_j − shift_j| <= scale, above 0; E is held in 2^−900..2^900. A row beyond E is drawn toward
        `shift` along its ray until its largest coordinate is E.
    limbs : {1, 2}
        1 keeps w bits (one product), 2 keeps 2w bits (three products).

    Returns
    -------
    (m, p) float64
        Rows that are not valid, or not finite, are 0. A column that could leave the range of float64, decided by
        the public arguments, is scaled down to it.

    Raises
    ------
    DomainError
        If a public argument is malformed.

    Notes
    -----
    *Precision.* The error in column j is at most 1.25·d·2^−2w·E·a_j (d·2^−w·E·a_j for one limb), a_j the
    power of two above max_i|matrix_ij|, plus a relative 2^−53 of each x − shift and 2^−52 of the result. At
    d=50, w=23: 2^−40·E·a_j.

    *Formal guarantee.* Row i depends on values[i], valid[i] and public arguments only, bit for bit: |hi| <=
    2^w and |lo| <= 2^(w−1), so every partial sum is an integer of size at most d·2^(2w) <= 2^53.

    Examples
    --------
    >>> affine([[3.0, 1.0]], [True], [1.0, 1.0], [[0.5], [7.0]], scale=4.0)
    array([[1.]])
    """
    rows, alive = check_rows(values, valid)
    image = AffineColumns(shift, matrix, d=rows.shape[1], scale=scale, limbs=limbs)
    result = np.empty((len(rows), image.p))
    with np.errstate(all="ignore"):
        for at in small_blocks(len(rows), 2 * rows.shape[1]):
            result[at] = image.of(rows[at], alive[at]).T
    return result


@final
class AffineColumns:
    """What `affine` makes of its public arguments, made once for many blocks of rows.

    A column's numbers lie in a row here, and so in long inner loops. The power of two that scales a column of the
    result stands in the matrix where that stays inside the range of float64: it is exact, and commutes with rounding.

    Parameters
    ----------
    shift, matrix, scale, limbs
        As in `affine`.
    d : int
        Columns of the rows.
    uneven : bool
        Whether the matrix keeps two limbs where the rows keep one (two products).
    """

    __slots__ = ("_after", "_count", "_high", "_power", "_rest", "_shift", "_width", "coarse", "p")

    def __init__(
        self, shift: npt.ArrayLike, matrix: npt.ArrayLike, *, d: int, scale: float, limbs: int = 2, uneven: bool = False
    ) -> None:
        self._shift = check_vector("shift", shift, d)[:, None]
        linear = np.asarray(matrix, dtype=np.float64)
        if linear.shape[:1] != (d,) or linear.ndim != 2 or not np.isfinite(linear).all() or limbs not in {1, 2}:
            raise DomainError("affine: not a finite matrix of d rows", fix=f"pass ({d}, p) numbers, limbs 1 or 2")
        power = math.frexp(scale)[1]
        column = np.frexp(np.abs(linear).max(axis=0, initial=0.0))[1]
        if not 0.0 < scale < math.inf:
            raise DomainError("affine: scale is not positive and finite", fix="pass a scale above 0")
        self.p, self._count, self._width = linear.shape[1], limbs, (53 - math.ceil(math.log2(d))) // 2
        self._power = min(max(power, -REACH), REACH)
        with np.errstate(over="ignore"):
            rounded = np.ldexp(math.sqrt(d), column - self._width * uneven) + np.abs(linear).sum(axis=0)
            self.coarse = np.ldexp(rounded, self._power - self._width - 1).max(initial=0.0)
            """What one limb of the rows may err by where ‖x − shift‖ <= E, a public number: half a step of each x_i and
            of each entry of the matrix, 2^(−w−1)·E·(√d·a_j + Σ_i|matrix_ij|) by Cauchy–Schwarz, 2^−w·√d in place of √d
            if it is uneven. For rows that are t times as far, at most t times as much."""
        high, low = np.split(_limbs(np.ldexp(linear, self._width - column), self._width, 2), 2)
        wanted = np.minimum(column + self._power, 1000 - d.bit_length()) - 2 * self._width
        fits = bool((np.abs(wanted) <= REACH).all())
        inside = wanted if fits else np.zeros_like(wanted)
        self._after: Floats | None = None if fits else np.ldexp(1.0, wanted)[:, None]
        self._high = np.ascontiguousarray(np.ldexp(high, inside).T)
        self._rest: Floats | None = None
        if limbs == 2 or uneven:
            rest = np.vstack([low, high][:limbs])
            self._rest = np.ascontiguousarray(np.ldexp(rest, inside - self._width).T)

    def of(self, rows: Floats, alive: Bools, offset: Floats | float = 0.0) -> Floats:
        """The images of some rows, (p, m), 0 where they are not alive or finite; plus an offset (p, 1) that has no −0.

        Floating-point warnings, which would tell of a row, are the caller's to ignore.
        """
        limbs = _limbs(self._unit(rows, alive), self._width, self._count)
        total = self._high @ limbs[: rows.shape[1]]
        if self._rest is not None:
            total += self._rest @ limbs
        if self._after is not None:
            np.multiply(total, self._after, out=total)
        total += offset  # a zero is +0, whichever kernel summed it
        return total

    def _unit(self, rows: Floats, alive: Bools) -> Floats:
        """2^w·(x − shift)/2^power in the box ±2^w; farther rows drawn in along their ray; dead and broken rows 0."""
        unit, whole = np.empty(rows.shape[::-1]), 2.0**self._width
        np.subtract(rows.T, self._shift, out=unit)
        np.multiply(unit, math.ldexp(1.0, self._width - self._power), out=unit)
        if not alive.all():
            unit[:, ~alive] = 0.0
        if not max(unit.max(initial=0.0), -unit.min(initial=0.0)) <= whole:  # as a NaN or an infinity of a row never is
            unit[:, ~finite_rows(rows, alive)] = 0.0
            far = np.flatnonzero(~(np.abs(unit).max(axis=0) <= whole))
            offset = 0.5 * rows[far].T - 0.5 * self._shift
            unit[:, far] = offset / np.abs(offset).max(axis=0) * whole
        return unit


def _limbs(unit: Floats, width: int, count: int) -> Floats:
    """Integers [hi; lo] with hi + lo·2^−w = unit to within 2^−(w+1), or hi alone; overwrites `unit`."""
    if count == 1:
        return np.rint(unit, out=unit)
    d = len(unit)
    limbs = np.empty((2 * d, unit.shape[1]))
    np.subtract(unit, np.rint(unit, out=limbs[:d]), out=unit)
    np.multiply(unit, 2.0**width, out=unit)
    np.rint(unit, out=limbs[d:])
    return limbs


def squared_norms(values: Floats) -> Floats:
    """Sum the squares of each row in an order that depends on the number of columns only.

    Columns are added in halves, then one by one: element-wise steps, so a row's sum is the same bits in any
    chunk or layout, and exact for integers while the sum is below 2^53. Relative error at most (log₂d +
    8)·2^−53.

    Parameters
    ----------
    values : (m, d) float64

    Returns
    -------
    (m,) float64

    Examples
    --------
    >>> squared_norms(np.array([[3.0, 4.0], [1.0, 2.0]]))
    array([25., 5.])
    """
    result = np.empty(len(values))
    with np.errstate(all="ignore"):
        for at in small_blocks(len(values), values.shape[1]):
            result[at] = _squared_norms(values[at])
    return result


def _squared_norms(values: Floats) -> Floats:
    """Columns lie in a row here: short inner loops are slow."""
    return column_norms(np.multiply(values.T, values.T, order="C"))


def column_norms(squares: Floats) -> Floats:
    """Σ over the first axis in the order of `squared_norms`; overwrites what it is given."""
    width = len(squares)
    while width > 8:
        half = width // 2
        squares[:half] += squares[width - half : width]
        width -= half
    total: Floats = squares[0] + squares[1] if width > 1 else squares[0].copy()
    for j in range(2, width):
        total += squares[j]
    return total
