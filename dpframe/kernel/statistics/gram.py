"""``gram`` and ``square_sum``: second moments of clipped rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import folds
from dpframe.kernel.operations import Batch, Exact, Statistic, lattice_step, wants
from dpframe.kernel.registry import register
from dpframe.kernel.statistics.sums import on_lattice
from dpframe.proof.spaces import Domain, Rows, lattice_bits


@register("gram")
@attrs.frozen
class Gram(Statistic):
    """Σ y yᵀ over rows y of the unit ball, exact: integer rows multiplied in float64 BLAS.

    Parameters
    ----------
    bits : int
        Lattice of the *rows*; the Gram matrix lies on its square.

    Formal guarantees
    -----------------
    Sensitivity: √(removed² + added²) in Frobenius norm (``bounded_gram``): contributions have non-negative inner
    products because whole rows are truncated, never entries of the product.

    References
    ----------
    docs/theory/corrections.md#t2 and notation.md#finite-arithmetic.

    Examples
    --------
    >>> gram = Gram(bits=2)
    >>> fold = gram.start(Rows(2))
    >>> gram.update(fold, Batch(0, np.array([[2.0, 0.0], [2.0, -2.0]]), np.ones(2, dtype=bool), bits=2))
    >>> gram.value(fold).floats.tolist()
    [[0.5, -0.25], [-0.25, 0.25]]
    """

    bits: int = attrs.field(default=18, kw_only=True, validator=lattice_bits)

    def start(self, domain: Domain, *params: Any) -> Any:
        """A matrix of zeros."""
        return folds.GramFold(wants(domain, Rows, self.name).d, self.bits)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Add the rows' Gram matrix."""
        fold.update(on_lattice(batch, self.bits))

    def step(self) -> Fraction:
        """The square of the rows' step."""
        return lattice_step(2 * self.bits)


@register("square_sum")
@attrs.frozen
class SquareSum(Gram):
    """Σ‖y‖² over rows of the unit ball: the trace of their Gram matrix, one number.

    Formal guarantees
    -----------------
    Sensitivity: max(removed, added) (``bounded_squares``): each row gives one number in [0, 1].

    Examples
    --------
    >>> squares = SquareSum(bits=2)
    >>> fold = squares.start(Rows(2))
    >>> squares.update(fold, Batch(0, np.array([[2.0, 0.0], [2.0, -2.0]]), np.ones(2, dtype=bool), bits=2))
    >>> squares.value(fold).floats.tolist()  # 1/4 + 1/2
    [0.75]
    """

    def value(self, fold: Any) -> Exact:
        """The trace, shape (1,)."""
        trace = sum(int(v) for v in np.diagonal(fold.value))
        return Exact(np.array([trace], dtype=np.int64 if trace < 2**62 else object), self.step())
