"""``weighted_counts``, ``_sums``, ``_squares``, ``_grams`` and ``_radii``: of rows seen by k components."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import folds, lattice
from dpframe.kernel.families.weighted_folds import WeightedGramFold, WeightedHistogramFold, WeightedSumFold
from dpframe.kernel.operations import Batch, Exact, Statistic, lattice_step, wants
from dpframe.kernel.registry import register
from dpframe.kernel.statistics.sums import on_lattice
from dpframe.proof.spaces import MOST_LISTED, Domain, WeightedRows, above_one, lattice_bits, up_to


@attrs.frozen
class _Weighted(Statistic):
    """Soft moments; ``bits`` is the lattice of the whitened rows and their weights."""

    bits: int = attrs.field(default=18, kw_only=True, validator=lattice_bits)

    def step(self) -> Fraction:
        """That of rows and weights."""
        return lattice_step(self.bits)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Fold the batch's components in."""
        weights = self._weights(batch)
        if weights is not None:
            fold.update(on_lattice(batch, self.bits), weights)

    def _weights(self, batch: Batch) -> Any:
        """The batch's weights on this statistic's lattice, truncated where it is coarser."""
        if batch.weights is None or batch.bits == self.bits:
            return batch.weights
        return np.trunc(batch.weights * 2.0 ** (self.bits - batch.bits))


@register("weighted_grams")
@attrs.frozen
class WeightedGrams(_Weighted):
    """Σ γ_j a_j a_jᵀ for every component j at once.

    With the anchor as first coordinate one matrix carries count, sum and Gram of a component.

    Formal guarantees
    -----------------
    Sensitivity: √(removed² + added²) jointly over components (``weighted_grams``), enforced in integers on
    the truncated rows √γ_j·a_j.

    Examples
    --------
    >>> rows = Batch(0, np.array([[[4.0, 0.0]], [[0.0, 4.0]]]), np.ones(1, dtype=bool), 2, np.array([[3.0, 1.0]]))
    >>> soft = WeightedGrams(bits=2)  # one row, 3/4 of the first component and 1/4 of the second
    >>> fold = soft.start(WeightedRows(k=2, d=2))
    >>> soft.update(fold, rows)
    >>> soft.value(fold).floats.tolist()
    [[[0.5625, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.25]]]
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Zeros."""
        rows = wants(domain, WeightedRows, "weighted_grams")
        return WeightedGramFold(rows.k, rows.d, bits=self.bits, weight_bits=self.bits)

    def step(self) -> Fraction:
        """The square of the rows' step."""
        return lattice_step(2 * self.bits)


@register("weighted_sums")
@attrs.frozen
class WeightedSums(_Weighted):
    """Σ γ_j a_j for every component j at once.

    Formal guarantees
    -----------------
    Sensitivity: removed + added jointly over components (``weighted_sums``).

    Examples
    --------
    >>> rows = Batch(0, np.array([[[4.0, 0.0]], [[0.0, 4.0]]]), np.ones(1, dtype=bool), 2, np.array([[3.0, 1.0]]))
    >>> soft = WeightedSums(bits=2)  # one row, 3/4 of the first component and 1/4 of the second
    >>> fold = soft.start(WeightedRows(k=2, d=2))
    >>> soft.update(fold, rows)
    >>> soft.value(fold).floats.tolist()
    [[0.75, 0.0], [0.0, 0.25]]
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Zeros."""
        rows = wants(domain, WeightedRows, "weighted_sums")
        return WeightedSumFold(rows.k, rows.d, bits=self.bits, weight_bits=self.bits)


@register("weighted_counts")
@attrs.frozen
class WeightedCounts(_Weighted):
    """Σ γ_j for every component j.

    Formal guarantees
    -----------------
    Sensitivity: √(removed² + added²) in ℓ₂ (``weighted_counts``).

    Examples
    --------
    >>> rows = Batch(0, np.array([[[4.0, 0.0]], [[0.0, 4.0]]]), np.ones(1, dtype=bool), 2, np.array([[3.0, 1.0]]))
    >>> soft = WeightedCounts(bits=2)  # one row, 3/4 of the first component and 1/4 of the second
    >>> fold = soft.start(WeightedRows(k=2, d=2))
    >>> soft.update(fold, rows)
    >>> soft.value(fold).floats.tolist()
    [0.75, 0.25]
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Zeros."""
        return folds.SumFold(wants(domain, WeightedRows, "weighted_counts").k, self.bits)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Add the weights."""
        weights = self._weights(batch)
        if weights is not None:
            fold.update(np.ascontiguousarray(weights))


@register("weighted_squares")
@attrs.frozen
class WeightedSquares(_Weighted):
    """Σ γ_j ‖a_j‖² for every component j: squared distances from the component, in units of the squared clip.

    With the anchor 0 they are those of the clipped whitened rows. Each product is truncated to the lattice of the
    weights, which takes at most a step of it from a row's.

    Formal guarantees
    -----------------
    Sensitivity: √(removed² + added²) in ℓ₂ (``weighted_squares``), enforced in integers on the products.

    Examples
    --------
    >>> rows = Batch(0, np.array([[[4.0, 0.0]], [[0.0, 4.0]]]), np.ones(1, dtype=bool), 2, np.array([[3.0, 1.0]]))
    >>> soft = WeightedSquares(bits=2)  # one row, 3/4 of the first component and 1/4 of the second
    >>> fold = soft.start(WeightedRows(k=2, d=2))
    >>> soft.update(fold, rows)
    >>> soft.value(fold).floats.tolist()
    [0.75, 0.25]
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Zeros: a histogram with one bin, whose weights are the products."""
        return WeightedHistogramFold(wants(domain, WeightedRows, "weighted_squares").k, 1, weight_bits=self.bits)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Add weight times square; squares of lattice rows are whole numbers below 2^53, in any order of summing."""
        weights = self._weights(batch)
        if weights is None:
            return
        squares = np.stack([np.vecdot(part, part) for part in batch.values], axis=1)
        products = np.trunc(weights * (squares * 4.0**-batch.bits))
        fold.update(np.zeros(products.shape, dtype=np.int64), products)

    def value(self, fold: Any) -> Exact:
        """Shape (k,)."""
        return Exact(fold.value[:, 0], self.step())


@register("weighted_radii")
@attrs.frozen
class WeightedRadii(_Weighted):
    """Σ γ_j by the distance at which component j sees a row: a histogram of radii for every component.

    A row's radius is the norm of what ``whiten`` shows of it without the anchor, in the unit ball. The edges are
    ``ratio^−edges, …, ratio^−2, 1/ratio``: rows that ``whiten`` clips fall in the last bin.

    Parameters
    ----------
    edges : int
        Number of edges; there are ``edges + 1`` bins, closed on the right.
    ratio : float
        Ratio of neighbouring edges, above 1.

    Formal guarantees
    -----------------
    Sensitivity: √(removed² + added²) in ℓ₂ (``weighted_radii``), enforced in integers on the weights.

    Examples
    --------
    >>> rows = Batch(0, np.array([[[4.0, 0.0]], [[0.0, 4.0]]]), np.ones(1, dtype=bool), 2, np.array([[3.0, 1.0]]))
    >>> soft = WeightedRadii(bits=2, edges=2, ratio=2.0)  # one row, 3/4 of the first component and 1/4 of the second
    >>> fold = soft.start(WeightedRows(k=2, d=2))
    >>> soft.update(fold, rows)
    >>> soft.value(fold).floats.tolist()  # up to 1/4, up to 1/2, and farther
    [[0.75, 0.0, 0.0], [0.0, 0.0, 0.25]]
    """

    edges: int = attrs.field(default=40, kw_only=True, validator=up_to(MOST_LISTED))
    ratio: float = attrs.field(default=2.0**0.25, kw_only=True, validator=above_one)

    def start(self, domain: Domain, *params: Any) -> Any:
        """Empty bins."""
        rows = wants(domain, WeightedRows, "weighted_radii")
        return WeightedHistogramFold(rows.k, self.edges + 1, weight_bits=self.bits)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Bin the batch's rows, component by component; squares of lattice rows are exact integers."""
        weights = self._weights(batch)
        if weights is None:
            return
        edges = 2.0**batch.bits * float(self.ratio) ** np.arange(-self.edges, 0.0)
        squares = np.stack([lattice.squared_norms(part[:, 1:]) for part in batch.values], axis=1)
        fold.update(np.searchsorted(edges**2, squares, side="left"), weights)
