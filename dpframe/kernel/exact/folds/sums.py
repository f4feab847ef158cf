"""Counts, sums and Gram matrices of lattice rows."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import final

import numpy as np
import numpy.typing as npt

from dpframe.kernel.exact.folds.base import ExactSum, Floats, Fold, TotalFold, check_shape, check_size, spans, unclipped
from dpframe.kernel.exact.lattice import MAX_BITS


@final
class CountFold(Fold):
    """The number of valid rows.

    Examples
    --------
    >>> fold = CountFold()
    >>> fold.update(np.array([True, False, True]))
    >>> fold.value
    2
    """

    __slots__ = ("_count",)

    def __init__(self) -> None:
        self._count = 0

    def update(self, valid: npt.NDArray[np.bool_]) -> None:
        """Count the rows flagged in `valid` (m,)."""
        self._count += int(np.count_nonzero(valid))

    def merge(self, other: CountFold) -> None:
        """Add another count."""
        self._count += other._count

    @property
    def value(self) -> int:
        """The count."""
        return self._count


@final
class SumFold(TotalFold):
    """Σ q over integer-valued rows q (m, d) with entries at most 2^bits in size.

    Parameters
    ----------
    d : int
        Columns.
    bits : int
        Lattice bits of the rows, 1..26.

    Notes
    -----
    *Formal guarantees.* `value` (d,) is the exact integer sum of the multiset of rows, in lattice steps. With rows from
    `to_ball` its L2 sensitivity is 2^bits lattice units under one addition or removal, twice that under a
    replacement; with rows from `to_box`, 2^bits in L∞. *Proof of exactness*: with T = Σ q² over a block of
    m rows, at most m·d·4^bits (checked), Σ|q_j| <= √(m·T) <= m·√d·2^bits <= 2^52.

    Examples
    --------
    >>> fold = SumFold(2, bits=4)
    >>> fold.update(np.array([[3.0, -16.0], [4.0, 0.0]]))
    >>> fold.value
    array([  7, -16])
    """

    __slots__ = ("bits", "d")

    def __init__(self, d: int, bits: int) -> None:
        self.d = check_size("d", d, 1, 2**22)
        self.bits = check_size("bits", bits, 1, MAX_BITS)
        super().__init__((d,), (d, bits))

    def update(self, q: Floats) -> None:
        """Add the rows of q (m, d)."""
        check_shape("rows", q, (None, self.d))
        root = math.isqrt(self.d - 1) + 1
        for block in spans(len(q), 2 ** (52 - self.bits) // root):
            part = q[block]
            flat = part.ravel(order="K")
            if not float(np.dot(flat, flat)) <= len(part) * self.d * 4.0**self.bits * (1 + 2.0**-20):
                raise unclipped()
            self._total.add(_columns(part), 2 * len(part) * root * 2**self.bits)


def _columns(q: Floats) -> Floats:
    """Σ of each column, several rows at a time where they lie in a row: short inner loops are slow.

    Every partial sum of every order is a whole number below 2^53, so how BLAS adds does not show.
    """
    m, d = q.shape
    several = max(1, 1024 // d)
    whole = m - m % several if q.flags.c_contiguous else 0
    total: Floats = q[whole:].sum(axis=0)
    if whole:
        wide = q[:whole].reshape(whole // several, several * d)
        total += (np.ones(len(wide)) @ wide).reshape(several, d).sum(axis=0)
    return total


@final
class GramFold(TotalFold):
    """Σ q qᵀ over integer-valued rows q (m, d) with entries at most 2^bits in size.

    Parameters
    ----------
    d : int
        Columns.
    bits : int
        Lattice bits of the rows, 1..26; at most 2^(53 − 2·bits) rows are multiplied at a time.

    Notes
    -----
    *Formal guarantees.* `value` (d, d) is the exact integer Gram matrix of the multiset of rows. With rows from
    `to_ball`, ‖q qᵀ‖_F = ‖q‖² <= 4^bits, so its Frobenius sensitivity is 4^bits under one addition or
    removal and √2·4^bits under a replacement (q qᵀ and r rᵀ have a non-negative inner product). *Proof of
    exactness*: in a piece of m rows every partial sum of every entry (i, j) is an integer of size at most
    Σ|q_i q_j| <= √(G_ii G_jj), and G_ii <= m·4^bits <= 2^53 is checked on the computed diagonal, which
    decides it exactly (see `dpframe.kernel.exact.lattice`). At most 2^9 pieces of the most rows are added in
    int64: 2^62.

    References
    ----------
    docs/theory/notation.md#finite-arithmetic and #sums.

    Examples
    --------
    >>> fold = GramFold(2, bits=4)
    >>> fold.update(np.array([[3.0, -16.0], [4.0, 0.0]]))
    >>> fold.value
    array([[ 25, -48],
           [-48, 256]])
    """

    __slots__ = ("bits", "d")

    def __init__(self, d: int, bits: int) -> None:
        self.d = check_size("d", d, 1, 2**22)
        self.bits = check_size("bits", bits, 1, MAX_BITS)
        super().__init__((d, d), (d, bits))

    def update(self, q: Floats) -> None:
        """Add the rows of q (m, d)."""
        check_shape("rows", q, (None, self.d))
        add_gram(self._total, q, 4**self.bits)


def add_gram(total: ExactSum, q: Floats, square: int) -> None:
    """Add qᵀq of rows (m, d) whose squared entries are at most `square` <= 2^52; of (k, m, d), of each (m, d).

    By pieces of at most 2^53/square rows: the product of each is exact in float64, their sum in int64.
    """
    *stack, rows, d = q.shape
    most = min(2**53 // square, _together(d))
    for block in spans(rows, most * min(_PIECES, max(1, _STACKED // (math.prod(stack) * d * d)))):
        for part in _cut(q[..., block, :], most):
            gram = _product(part)
            if not gram.diagonal(axis1=-2, axis2=-1).max() <= part.shape[-2] * square:
                raise unclipped()
            total.add(gram.astype(np.int64).sum(axis=-3), math.prod(part.shape[-3:-1]) * square)


def _cut(q: Floats, most: int) -> Iterator[Floats]:
    """Rows (…, m, d) as (…, pieces, rows of a piece <= `most`, d), then those that are left.

    In so many pieces that other threads can work: NumPy keeps Python's lock while it makes a result of few numbers.
    """
    *stack, rows, d = q.shape
    free = _LOCKED // (math.prod(stack) * d * _first(d)) + 1
    pieces = max(-(-rows // most), min(free, rows // _LOCKED))
    pieces = min(rows, 1 << (pieces - 1).bit_length())  # a power of 2 divides a chunk: no row is left
    whole = rows - rows % pieces
    yield q[..., :whole, :].reshape(*stack, pieces, whole // pieces, d)
    if whole < rows:
        yield from _cut(q[..., whole:, :], most)


def _product(q: Floats) -> Floats:
    """qᵀq of whole numbers whose sums stay below 2^53: the same bits, however they are multiplied.

    NumPy gives a matrix times itself to a routine for symmetric results. With AVX-512 OpenBLAS takes half of that time
    for a small product of any two matrices, so where there are few columns all are multiplied with the first ones, then
    the rest with the rest and one more, which makes them another matrix; what is still missing mirrors what is there.
    """
    turned, d = q.swapaxes(-1, -2), q.shape[-1]
    cut = _first(d)
    largest = q.shape[-2] * max(d * cut, (d - cut + 1) * (d - cut))
    if not 1 < d <= _FEW or largest > _SMALL or not _has_small_products():
        return turned @ q
    gram = np.empty((*q.shape[:-2], d, d))
    np.matmul(turned, q[..., :cut], out=gram[..., :cut])
    np.matmul(turned[..., cut - 1 :, :], q[..., cut:], out=gram[..., cut - 1 :, cut:])
    gram[..., : cut - 1, cut:] = gram[..., cut:, : cut - 1].swapaxes(-1, -2)
    return gram


def _first(d: int) -> int:
    """How many columns are multiplied with all columns in the first product."""
    return min(8, max(1, (1 << (d - 1).bit_length()) // 2))


@functools.cache
def _has_small_products() -> bool:
    from threadpoolctl import threadpool_info

    return any(info.get("architecture") in {"SkylakeX", "Cooperlake", "Sapphirerapids"} for info in threadpool_info())


def _together(d: int) -> int:
    """How many rows of d numbers are multiplied at once."""
    return _SMALL // d**2 if d <= _FEW else _SMALL


_FEW, _SMALL = 32, 10**6
"""Columns at most, and multiplications, of what is multiplied as a small product."""
_STACKED, _PIECES, _LOCKED = 2**18, 2**9, 500
"""Numbers of all products that are held at once, how many products, and up to how many numbers of a result NumPy keeps
Python's lock."""
