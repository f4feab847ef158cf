"""``select``: some columns of each row, in a chosen order."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import register


@register("select")
@attrs.frozen
class Select(Transform):
    """``x ↦ (x_j)`` for the chosen columns j, each once, in their order.

    A row that is empty stays empty: what is missing in a column that is left out empties its row too. The columns of a
    *table* are chosen where it is opened, and there only they count.

    Parameters
    ----------
    columns : sequence of int
        Positions, from 0.

    Formal guarantees
    -----------------
    Stability: edits are kept (``row_map``): numbers are copied.

    Examples
    --------
    >>> batch = Batch(0, np.array([[1.0, 2.0, 3.0]]), np.array([True]))
    >>> Select(columns=(2, 0)).apply(batch).values.tolist()
    [[3.0, 1.0]]
    """

    columns: tuple[int, ...] = attrs.field(converter=tuple, kw_only=True)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """The columns of one batch."""
        return attrs.evolve(batch, values=np.ascontiguousarray(batch.values[:, list(self.columns)]))
