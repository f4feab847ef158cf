"""``count``: the number of non-empty rows."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import folds
from dpframe.kernel.operations import Batch, Exact, Statistic
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain


@register("count")
@attrs.frozen
class Count(Statistic):
    """Number of non-empty rows, exact.

    Under replace-one the number of rows is public, but the number of *non-empty* rows is not.

    Formal guarantees
    -----------------
    Sensitivity: max(removed, added) (``live_count``).

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> count = Count()
    >>> fold = count.start(Rows(1))
    >>> count.update(fold, Batch(0, np.array([[3.0], [np.nan], [5.0]]), np.array([True, False, True])))
    >>> count.value(fold).integers.tolist()
    [2]
    """

    def start(self, domain: Domain, *params: Any) -> Any:
        """A count of 0."""
        return folds.CountFold()

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Count the valid rows."""
        fold.update(batch.valid)

    def value(self, fold: Any) -> Exact:
        """The count, shape (1,)."""
        return Exact(np.array([fold.value], dtype=np.int64))
