"""``sampled_rows``: a fixed number of rows by a public permutation."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.indexing import permuted
from dpframe.kernel.operations import Batch, Gather, IntArray
from dpframe.kernel.registry import register
from dpframe.proof.spaces import positive_whole, whole


@register("sampled_rows")
@attrs.frozen
class SampledRows(Gather):
    """Rows in memory, the first ones along a fixed public permutation of the original row index.

    For passes that need no more of them: a pass over a quarter of the rows takes a quarter of the time.

    Parameters
    ----------
    rows : int
        At most this many; all of a smaller table.
    seed : int
        Public seed of the permutation.

    Formal guarantees
    -----------------
    Stability: under replace-one each replaced row changes one sampled row at most (``pairs_by_index``, for groups of
    one). Refused after a filter or in a part, and under add/remove, where no index exists. Nothing is amplified: which
    rows are in the sample is public.

    Examples
    --------
    >>> SampledRows(rows=3).indices(9, None).shape
    (3, 1)
    >>> rows = Batch(0, np.array([[[5.0, 1.0]]]), np.ones((1, 1), dtype=bool))
    >>> SampledRows(rows=3).combine(rows).values.tolist()
    [[5.0, 1.0]]
    """

    rows: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def indices(self, n: int, source: Any) -> IntArray:
        """Indices (rows, 1)."""
        return permuted(np.arange(min(n, self.rows)), n=n, seed=self.seed).reshape(-1, 1)

    def combine(self, groups: Batch) -> Batch:
        """The rows as they are."""
        return Batch(groups.start, groups.values[:, 0], groups.valid[:, 0])
