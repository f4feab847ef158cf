"""``sum``, ``mean``, ``box_sum``: sums of clipped rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import folds
from dpframe.kernel.operations import Batch, Exact, Folds, Statistic, lattice_step, wants
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, Rows, lattice_bits


@attrs.frozen
class _Sum(Statistic):
    """A sum of lattice rows; ``bits`` is the clip's lattice."""

    bits: int = attrs.field(default=20, kw_only=True, validator=lattice_bits)

    def start(self, domain: Domain, *params: Any) -> Any:
        """A sum of 0."""
        return folds.SumFold(wants(domain, Rows, self.name).d, self.bits)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Add the rows."""
        fold.update(on_lattice(batch, self.bits))

    def step(self) -> Fraction:
        """Step of the lattice that rows were clipped to."""
        return lattice_step(self.bits)


def on_lattice(batch: Batch, bits: int) -> Any:
    """The batch's rows on the statistic's lattice: coarser by truncation, finer by shifting."""
    if batch.bits == bits:
        return batch.values
    rows = batch.values * 2.0 ** (bits - batch.bits)  # exact: a whole number below 2^53 by a power of two
    return np.trunc(rows, out=rows) if bits < batch.bits else rows


@register("sum")
@attrs.frozen
class Sum(_Sum):
    """Σ y over rows y of the unit ball: Σ(x − p)/r in the frame (p, r) of the clip.

    Parameters
    ----------
    bits : int
        Lattice of the sum.

    Formal guarantees
    -----------------
    Sensitivity: removed + added in ℓ₂ (``bounded_sum``).

    Examples
    --------
    >>> total = Sum(bits=2)
    >>> fold = total.start(Rows(2))
    >>> total.update(fold, Batch(0, np.array([[2.0, -1.0], [1.0, 1.0]]), np.ones(2, dtype=bool), bits=2))
    >>> total.value(fold).floats.tolist()  # of the rows (0.5, -0.25) and (0.25, 0.25)
    [0.75, 0.0]
    """


@register("box_sum")
@attrs.frozen
class BoxSum(_Sum):
    """Σ y over rows y of the unit cube.

    Formal guarantees
    -----------------
    Sensitivity: removed + added a coordinate (``box_sum``).

    Examples
    --------
    >>> total = BoxSum(bits=2)
    >>> fold = total.start(Rows(2))
    >>> total.update(fold, Batch(0, np.array([[4.0, -4.0], [4.0, 2.0]]), np.ones(2, dtype=bool), bits=2))
    >>> total.value(fold).floats.tolist()  # each column of each row within [-1, 1]
    [2.0, -0.5]
    """


@register("mean")
@attrs.frozen
class Mean(_Sum):
    """Σ (y, 1) over non-empty rows of the unit ball: the sum, and the count as one more coordinate.

    Under replace-one the count is free: the joint sensitivity is that of the sum. Released, it is turned into
    a mean in the units of the table by ``mean_of_ball``, right for missing rows and both adjacencies.

    Formal guarantees
    -----------------
    Sensitivity: 2·min(removed, added) + √2·|removed − added| in ℓ₂ (``sum_and_count``).

    Examples
    --------
    >>> both = Mean(bits=2)
    >>> fold = both.start(Rows(1))
    >>> both.update(fold, Batch(0, np.array([[2.0], [-1.0], [0.0]]), np.array([True, True, False]), bits=2))
    >>> both.value(fold).floats.tolist()  # the sum, and the two rows that are not empty
    [0.25, 2.0]
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """A sum and a count, both 0."""
        return Folds((super().start(domain), folds.CountFold()))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Add rows and count them."""
        total, count = fold.each
        total.update(on_lattice(batch, self.bits))
        count.update(batch.valid)

    def value(self, fold: Any) -> Exact:
        """Sum and count as one vector, on the lattice of the sum."""
        total, count = np.asarray(fold.each[0].value), fold.each[1].value * 2**self.bits
        dtype = np.int64 if total.dtype != object and count < 2**62 else object
        return Exact(np.append(total.astype(dtype), np.array([count], dtype=dtype)), self.step())
