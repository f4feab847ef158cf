"""``own_contribution``, ``own_transform``, ``own_partition``: a plugin's function of one row, bounded by the kernel."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import folds
from dpframe.kernel.exact.lattice import to_ball, to_box
from dpframe.kernel.foreign import Floats
from dpframe.kernel.operations import Batch, Exact, IntArray, Partition, Statistic, Transform, lattice_step
from dpframe.kernel.own.base import Owned, pieces, shape_of, value_domain
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain, lattice_bits, parts, positive, positive_whole
from dpframe.proof.theorems.own import NORMS, size_of


def to_cross(values: Floats, valid: Any, radius: float, bits: int) -> Floats:
    """Rows scaled into the ℓ₁ ball and truncated toward zero onto its lattice: Σ|q| <= 2^bits, in integers, tested.

    A row outside is divided by its own ℓ₁ norm, a sum of whole numbers and so the same in every batch.

    Examples
    --------
    >>> to_cross(np.array([[0.25, -0.25], [30.0, 10.0]]), np.array([True, True]), 1.0, 4)
    array([[ 4., -4.],
           [11.,  3.]])
    """
    q = to_box(values, valid, np.zeros(values.shape[1]), radius, bits)
    far = np.flatnonzero(np.abs(q).sum(axis=1) > 2.0**bits)
    rows = values[far] / np.abs(values[far]).max(axis=1, initial=0.0)[:, None]
    norms = np.ceil(np.abs(rows) * 2.0**30).sum(axis=1) / 2.0**30
    q[far] = np.trunc(rows / norms[:, None] * (2.0**bits * (1 - 2.0**-40)))
    q[~(np.abs(q).sum(axis=1) <= 2.0**bits)] = 0.0
    return q


def clipped(operation: Any, image: Floats, alive: Any) -> Floats:
    """What rows contribute, clipped to the operation's norm and bound, as whole numbers of its steps."""
    valid = alive & np.isfinite(image).all(axis=1)
    image = np.where(valid[:, None], np.maximum(image, 0.0) if operation.nonnegative else image, 0.0)
    if operation.norm == "l1":
        return to_cross(image, valid, operation.bound, operation.bits)
    clip = to_ball if operation.norm == "l2" else to_box
    return clip(image, valid, np.zeros(image.shape[1]), operation.bound, operation.bits)


@register("own_contribution")
@attrs.frozen
class OwnContribution(Owned, Statistic):
    """Σ over rows of a plugin's contribution, each clipped to norm B first and put on a lattice; summed exactly.

    Parameters
    ----------
    gives : str
        Domain of the sum, as JSON text.
    norm : {"l1", "l2", "linf"}
    bound : float
        B, in the units of the contributions.
    nonnegative : bool
        Whether negative parts of contributions are set to 0: then the sum moves by less.
    bits : int
        Contributions are whole multiples of B·2^−bits.

    Formal guarantees
    -----------------
    Level: enforced. Sensitivity (removed + added)·B in the norm, less where non-negative (``own_contribution``),
    whatever the function computes, *if* a row's contribution depends on that row and on released values alone.
    """

    gives: str = attrs.field(kw_only=True)
    norm: str = attrs.field(kw_only=True, validator=attrs.validators.in_(NORMS))
    bound: float = attrs.field(kw_only=True, validator=positive)
    nonnegative: bool = attrs.field(kw_only=True, validator=attrs.validators.instance_of(bool))
    bits: int = attrs.field(kw_only=True, validator=lattice_bits)

    def start(self, domain: Domain, *params: Any) -> Any:
        """A sum of 0."""
        return folds.SumFold(size_of(value_domain(self)), self.bits)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Clip each row's contribution and add it."""
        width = size_of(value_domain(self))
        for piece in pieces(len(batch.values), width):
            fold.update(clipped(self, self.images(batch.values[piece], params, width), batch.valid[piece]))

    def step(self) -> Fraction:
        """B·2^−bits."""
        return Fraction(self.bound) * lattice_step(self.bits)

    def value(self, fold: Any) -> Exact:
        """The sum."""
        return Exact(np.asarray(fold.value).reshape(shape_of(value_domain(self))), self.step())


@register("own_transform")
@attrs.frozen
class OwnTransform(Owned, Transform):
    """``values (m, d) ↦ function(values, *params) (m, p)``, a plugin's own, row by row.

    Parameters
    ----------
    p : int
        Columns of the image. Rows with a non-finite image become empty, and nothing has bounded the others.

    Formal guarantees
    -----------------
    Level: enforced. Stability: edits are kept (``own_transform``), *if* a row's image depends on that row and on
    released values alone.
    """

    p: int = attrs.field(kw_only=True, validator=positive_whole)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Call the function on a copy; where it fails or returns another shape, row by row."""
        image = np.zeros((len(batch.values), self.p))
        for piece in pieces(len(image), self.p):
            image[piece] = self.images(batch.values[piece], params, self.p)
        return batch.mapped(image)


@register("own_partition")
@attrs.frozen
class OwnPartition(Owned, Partition):
    """Rows into disjoint parts, by a plugin's own rule: ``function(values, *params)`` numbers each row's part.

    Parameters
    ----------
    count : int
        Parts. Rows with another number than 0 .. count − 1 are in none.

    Formal guarantees
    -----------------
    Level: enforced. Edits fall into parts by the worst allocation (``own_partition``), *if* the part of a row depends
    on that row and on released values alone.
    """

    count: int = attrs.field(kw_only=True, validator=parts)

    def assign(self, batch: Batch, n: int | None, *params: Any) -> IntArray:
        """Number each row's part."""
        return batch.numbered(self.images(batch.values, params, 1)[:, 0], self.count)
