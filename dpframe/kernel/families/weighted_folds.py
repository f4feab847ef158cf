"""Sums, Gram matrices and histograms of rows shared among k components by integer weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

from dpframe.kernel.exact.folds.base import Floats, TotalFold, block_rows, check_shape, check_size, spans
from dpframe.kernel.exact.folds.sums import add_gram
from dpframe.kernel.exact.lattice import MAX_BITS, cap_norms

Rows: TypeAlias = Floats | Sequence[Floats]


@final
class WeightedSumFold(TotalFold):
    """Σ γ_j z_j for k components at once, γ_j = w_j/2^weight_bits and z_j the row on component j's lattice.

    Parameters
    ----------
    k, d : int
        Components and columns.
    bits : int
        Lattice bits of the rows (`to_ball`) and of the result, 1..26.
    weight_bits : int
        Lattice bits of the weights (`responsibilities`), 1..26.

    Notes
    -----
    *Formal guarantee.* One row contributes t = (trunc γ_1 z_1, …, trunc γ_k z_k) with Σ_j ‖t_j‖² <= 4^bits,
    enforced in integers after truncation (`cap_norms`) whatever rows and weights are passed: the joint L2
    sensitivity over all components is 2^bits under one addition or removal, 2·2^bits under a replacement.
    For ‖z_j‖ <= 2^bits and Σγ <= 1 the cap never acts: Σ γ_j²‖z_j‖² <= 4^bits, and w_j z_j is an exact
    integer, so truncation acts on the true product. The value is exact and order-free: (k, d) integers, row j in units
    of component j's lattice step.

    Examples
    --------
    >>> fold = WeightedSumFold(2, 1, bits=4, weight_bits=2)
    >>> fold.update([np.array([[8.0]]), np.array([[-8.0]])], np.array([[1.0, 3.0]]))
    >>> fold.value
    array([[ 2],
           [-6]])
    """

    __slots__ = ("bits", "d", "k", "weight_bits")

    def __init__(self, k: int, d: int, *, bits: int, weight_bits: int) -> None:
        self.k = check_size("k", k, 1, 2**22)
        self.d = check_size("d", d, 1, 2**22)
        self.bits = check_size("bits", bits, 1, MAX_BITS)
        self.weight_bits = check_size("weight_bits", weight_bits, 1, MAX_BITS)
        super().__init__((k, d), (k, d, bits, weight_bits))

    def update(self, rows: Rows, weights: Floats) -> None:
        """Add rows, k arrays (m, d) or one (k, m, d), under integer weights (m, k)."""
        check_rows(rows, weights, self.k, self.d)
        rows, shares = np.asarray(rows), weights.T * 2.0**-self.weight_bits
        for block in spans(len(weights), block_rows(self.k * self.d)):
            parts = contributions(rows[:, block], shares[:, block], self.bits)
            self._total.add(parts.sum(axis=1), parts.shape[1] * 2**self.bits)


@final
class WeightedGramFold(TotalFold):
    """Σ γ_j z_j z_jᵀ for k components at once, from the truncated rows √γ_j·z_j.

    Parameters
    ----------
    k, d : int
        Components and columns.
    bits : int
        Lattice bits of the rows (`to_ball`) and of the result, 1..26.
    weight_bits : int
        Lattice bits of the weights (`responsibilities`), 1..26.

    Notes
    -----
    *Formal guarantee.* One row contributes (r_1 r_1ᵀ, …, r_k r_kᵀ) with r_j = trunc(√γ_j·z_j) and
    Σ_j ‖r_j‖² <= 4^bits, enforced in integers after truncation whatever rows and weights are passed. So the
    joint Frobenius norm √Σ‖r_j‖⁴ is at most Σ‖r_j‖² <= 4^bits, and as contributions of two rows have
    non-negative inner products (r_jᵀs_j)², the joint sensitivity is 4^bits under one addition or removal and
    √2·4^bits under a replacement. Truncating the *products* instead would break that √2: the truncated
    matrices are no longer positive semidefinite. The value is (k, d, d) integers, matrix j in units of component j's
    squared lattice step, exact and order-free: entries of r_j are at most 2^bits in size, as `add_gram` presupposes,
    and it multiplies so few rows at a time that every product is exact (as in `GramFold`).

    References
    ----------
    docs/theory/notation.md#finite-arithmetic.

    Examples
    --------
    >>> fold = WeightedGramFold(2, 1, bits=4, weight_bits=2)
    >>> fold.update([np.array([[8.0]]), np.array([[-8.0]])], np.array([[1.0, 3.0]]))
    >>> fold.value.ravel()
    array([16, 36])
    """

    __slots__ = ("bits", "d", "k", "weight_bits")

    def __init__(self, k: int, d: int, *, bits: int, weight_bits: int) -> None:
        self.k = check_size("k", k, 1, 2**22)
        self.d = check_size("d", d, 1, 2**22)
        self.bits = check_size("bits", bits, 1, MAX_BITS)
        self.weight_bits = check_size("weight_bits", weight_bits, 1, MAX_BITS)
        super().__init__((k, d, d), (k, d, bits, weight_bits))

    def update(self, rows: Rows, weights: Floats) -> None:
        """Add rows, k arrays (m, d) or one (k, m, d), under integer weights (m, k)."""
        check_rows(rows, weights, self.k, self.d)
        rows = np.asarray(rows)
        with np.errstate(invalid="ignore"):
            roots = np.sqrt(weights.T * 2.0**-self.weight_bits)
        for block in spans(len(weights), block_rows(self.k * self.d)):
            add_gram(self._total, contributions(rows[:, block], roots[:, block], self.bits), 4**self.bits)


@final
class WeightedHistogramFold(TotalFold):
    """Σ γ_j over rows by bin, for k components at once: row i adds γ_ij to bin b_ij of component j.

    Parameters
    ----------
    k, bins : int
        Components, and bins of each.
    weight_bits : int
        Lattice bits of the weights (`responsibilities`) and of the result, 1..26.

    Notes
    -----
    *Formal guarantee.* Whatever weights and bins are passed, one row adds whole non-negative numbers w_j to one bin of
    each component with Σ_j w_j <= 2^weight_bits: what would exceed it is cut off in integers, the first components
    first. So the joint L2 norm of a contribution is at most its L1 norm, 2^weight_bits, and as entries are not
    negative, contributions of two rows have an inner product >= 0: the L2 sensitivity is 2^weight_bits under one
    addition or removal, √2 times that under a replacement. Integers are added: the value, (k, bins) in units of the
    weights' lattice step, is exact and order-free.

    Examples
    --------
    >>> fold = WeightedHistogramFold(2, 3, weight_bits=2)
    >>> fold.update(np.array([[0, 2], [1, 2]]), np.array([[1.0, 3.0], [4.0, 4.0]]))
    >>> fold.value.tolist()
    [[1, 4, 0], [0, 0, 3]]
    """

    __slots__ = ("bins", "k", "weight_bits")

    def __init__(self, k: int, bins: int, *, weight_bits: int) -> None:
        self.k = check_size("k", k, 1, 2**22)
        self.bins = check_size("bins", bins, 1, 2**22)
        self.weight_bits = check_size("weight_bits", weight_bits, 1, MAX_BITS)
        super().__init__((k, bins), (k, bins, weight_bits))

    def update(self, ids: npt.NDArray[np.int64], weights: Floats) -> None:
        """Add the rows' bins (m, k) under integer weights (m, k); an id outside 0..bins−1 is the nearest bin."""
        check_shape("weights", weights, (None, self.k))
        check_shape("bin numbers", ids, (len(weights), self.k))
        whole = 2.0**self.weight_bits
        for block in spans(len(weights), 2 ** (52 - self.weight_bits)):
            left = np.full(len(weights[block]), whole)
            part = np.empty((self.k, self.bins))
            for j in range(self.k):
                given = np.minimum(np.clip(np.trunc(np.nan_to_num(weights[block, j])), 0.0, whole), left)
                left -= given
                places = np.clip(ids[block, j], 0, self.bins - 1)
                part[j] = np.bincount(places, weights=given, minlength=self.bins)
            self._total.add(part, len(left) * 2**self.weight_bits)


def check_rows(rows: Rows, weights: Floats, k: int, d: int) -> None:
    """Refuse shapes other than k times (m, d) and (m, k)."""
    check_shape("weights", weights, (None, k))
    check_size("number of row arrays", len(rows), k, k)
    for part in rows:
        check_shape("rows", part, (len(weights), d))


def contributions(rows: Floats, scales: Floats, bits: int) -> Floats:
    """Integer contributions (k, m, d) of a block of rows times their scales (k, m), capped jointly at 2^bits a row."""
    k, m, d = rows.shape
    joint: Floats = np.empty((k, d, m)).transpose(0, 2, 1)  # a column's numbers lie in a row, as `whiten` has them
    with np.errstate(all="ignore"):
        np.multiply(rows, scales[..., None], out=joint)
        np.trunc(joint, out=joint)
    cap_norms(joint, bits)
    return joint
