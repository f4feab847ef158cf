"""``pairs`` and ``secret_pairs``: scaled differences of disjoint pairs of rows."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.indexing import permuted
from dpframe.kernel.operations import Batch, Gather, IntArray
from dpframe.kernel.registry import register
from dpframe.proof.spaces import whole

_LARGEST = float(np.finfo(np.float64).max)


@attrs.frozen
class PairBase(Gather):
    """``(x_a − x_b)/√2`` over disjoint pairs; a pair with an empty row is empty.

    Parameters
    ----------
    max_pairs : int
        At most this many pairs are used, the first ones of the permutation; 0 for all. They are a table of their own
        in memory, half as large as the rows they are made of, so a recipe to which fewer are enough says how many.
    """

    max_pairs: int = attrs.field(default=0, kw_only=True, validator=whole)

    def _order(self, n: int, source: Any) -> IntArray:
        raise PlanError(f"operation {self.name!r} has no order of rows")

    def indices(self, n: int, source: Any) -> IntArray:
        """Indices (pairs, 2); leftovers are dropped."""
        count = self._count(n)
        return self._order(n, source)[: 2 * count].reshape(count, 2)

    def _count(self, n: int) -> int:
        """Pairs of n rows."""
        return min(n // 2, self.max_pairs) if self.max_pairs else n // 2

    def combine(self, groups: Batch) -> Batch:
        """Differences over √2; the few that no float64 holds saturate, silently as all private arithmetic."""
        valid = np.logical_and.reduce(groups.valid, axis=1)
        with np.errstate(over="ignore"):
            values = (groups.values[:, 0] * 0.5 - groups.values[:, 1] * 0.5) * np.sqrt(2.0)
        values = np.clip(values, -_LARGEST, _LARGEST)
        values[~valid] = 0.0
        return Batch(groups.start, values, valid)


@register("pairs")
@attrs.frozen
class Pairs(PairBase):
    """Pairs cut from the original row index by a fixed public permutation.

    Formal guarantees
    -----------------
    Stability: under replace-one each replaced row changes one pair (``pairs_by_index``). Refused after a filter
    or in a part, where one missing row would shift every later pair, and under add/remove, where no
    index exists.

    Examples
    --------
    >>> pairs = Pairs().indices(5, None)
    >>> pairs.shape, len(set(pairs.ravel().tolist()))  # disjoint, and one row is left over
    ((2, 2), 4)
    >>> far = Batch(0, np.array([[[1e6 + 2.0], [1e6]]]), np.ones((1, 2), dtype=bool))
    >>> Pairs().combine(far).values.round(6).tolist()  # a Gaussian's pairs have its covariance and mean 0
    [[1.414214]]
    """

    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def _order(self, n: int, source: Any) -> IntArray:
        return permuted(np.arange(2 * self._count(n)), n=n, seed=self.seed)


@register("secret_pairs")
@attrs.frozen
class SecretPairs(PairBase):
    """Pairs by a secret uniformly random matching: for add/remove.

    Formal guarantees
    -----------------
    Stability: one row added or removed is at most one pair replaced (``secret_matching``). The matching and
    the number of pairs are never released.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> SecretPairs(max_pairs=2).indices(100, SeededSource(1)).shape
    (2, 2)
    """

    most_rows: ClassVar[int] = 2**32

    def _order(self, n: int, source: Any) -> IntArray:
        from dpframe.kernel.noise import permutation

        return permutation(source, n)
