"""``weighted_counts``, ``weighted_sums``, ``weighted_grams``: soft moments of rows seen by k components."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import folds
from dpframe.kernel.families.weighted_folds import WeightedGramFold, WeightedSumFold
from dpframe.kernel.operations import Batch, Exact, Statistic, lattice_step, wants
from dpframe.kernel.registry import register
from dpframe.kernel.statistics.sums import on_lattice
from dpframe.proof.spaces import Domain, WeightedRows, lattice_bits


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
        return np.trunc(np.ldexp(batch.weights, self.bits - batch.bits))


@register("weighted_grams")
@attrs.frozen
class WeightedGrams(_Weighted):
    """Σ γ_j a_j a_jᵀ for every component j at once.

    With the anchor as first coordinate one matrix carries count, sum and Gram of a component.

    Formal guarantees
    -----------------
    Sensitivity: √(removed² + added²) jointly over components (``weighted_grams``), enforced in integers on
    the truncated rows √γ_j·a_j.
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Zeros."""
        rows = wants(domain, WeightedRows, "weighted_grams")
        return WeightedGramFold(rows.k, rows.d, bits=self.bits, weight_bits=self.bits)

    def step(self) -> Fraction:
        """The square of the rows' step."""
        return lattice_step(2 * self.bits)

    def value(self, fold: Any) -> Exact:
        """Shape (k, d, d)."""
        return Exact(fold.value, self.step())


@register("weighted_sums")
@attrs.frozen
class WeightedSums(_Weighted):
    """Σ γ_j a_j for every component j at once.

    Formal guarantees
    -----------------
    Sensitivity: removed + added jointly over components (``weighted_sums``).
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Zeros."""
        rows = wants(domain, WeightedRows, "weighted_sums")
        return WeightedSumFold(rows.k, rows.d, bits=self.bits, weight_bits=self.bits)

    def value(self, fold: Any) -> Exact:
        """Shape (k, d)."""
        return Exact(fold.value, self.step())


@register("weighted_counts")
@attrs.frozen
class WeightedCounts(_Weighted):
    """Σ γ_j for every component j.

    Formal guarantees
    -----------------
    Sensitivity: √(removed² + added²) in ℓ₂ (``weighted_counts``).
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """Zeros."""
        return folds.SumFold(wants(domain, WeightedRows, "weighted_counts").k, self.bits)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Add the weights."""
        weights = self._weights(batch)
        if weights is not None:
            fold.update(np.ascontiguousarray(weights))

    def value(self, fold: Any) -> Exact:
        """Shape (k,)."""
        return Exact(fold.value, self.step())
