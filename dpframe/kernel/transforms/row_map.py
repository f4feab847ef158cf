"""``row_map``: a plugin's own vectorised row function, asserted to treat rows one by one."""

from __future__ import annotations

import functools
from typing import Any

import attrs

from dpframe.kernel.foreign import flat, rowwise
from dpframe.kernel.operations import Batch, Transform
from dpframe.kernel.registry import find_row_function, register
from dpframe.proof.spaces import Domain, positive_whole


@register("row_map")
@attrs.frozen
class RowMap(Transform):
    """``values (m, d) ↦ function(values, *params) (m, p)``, a registered function of a plugin.

    The function must give each row an image that depends on that row and the parameters alone. The
    kernel can't see inside it: the certificate carries the hypothesis, ``dpframe check`` attacks it by
    permuting, replacing and dropping other rows. What it returns is unbounded in the plan's eyes; rows with a
    non-finite image become empty.

    Parameters
    ----------
    function : str
        Name under which the function is registered with ``dp.row_function``.
    p : int
        Columns of the image.

    Formal guarantees
    -----------------
    Stability: edits are kept *if* the function is row-wise (``asserted_row_map``).

    Examples
    --------
    >>> import numpy as np
    >>> from dpframe.kernel.registry import row_function
    >>> @row_function("doctest.log")
    ... def logs(values):
    ...     return np.log(values)
    >>> made = RowMap(function="doctest.log", p=1).apply(Batch(0, np.array([[1.0], [-1.0]]), np.ones(2, dtype=bool)))
    >>> made.values.tolist(), made.valid.tolist()  # a row without an image is an empty one
    ([[0.0], [0.0]], [True, False])
    """

    function: str = attrs.field(kw_only=True)
    p: int = attrs.field(kw_only=True, validator=positive_whole)

    def admit(self, *inputs: Domain) -> None:
        """A registered function."""
        find_row_function(self.function)

    def apply(self, batch: Batch, *params: Any) -> Batch:
        """Call the function on copies; a row at which it fails is empty (:func:`~dpframe.kernel.foreign.rowwise`)."""
        function = functools.partial(flat, find_row_function(self.function), params, {}, self.p)
        return batch.mapped(rowwise(function, batch.values, self.p))
