"""``row_map``: a plugin's own vectorised row function, asserted to treat rows one by one."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import attrs
import numpy as np

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
        """Call the function on a copy; where it fails or returns another shape, row by row."""
        image = self._call(batch.values, params)
        if image is None:
            rows = [self._call(batch.values[i : i + 1], params) for i in range(len(batch.values))]
            missing = np.full((1, self.p), np.nan)
            image = np.concatenate([missing[:0], *(missing if r is None else r for r in rows)])
        valid = batch.valid & np.isfinite(image).all(axis=1)
        return attrs.evolve(batch, values=np.where(valid[:, None], image, 0.0), valid=valid)

    def _call(self, values: np.ndarray[Any, Any], params: tuple[Any, ...]) -> np.ndarray[Any, Any] | None:
        """The image, or None: an error of the plugin empties the row that causes it and no other."""
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what a function warns of may tell of a row
                given = values.copy(), *copy.deepcopy(params)  # what is written into these is read nowhere else
                image = np.array(find_row_function(self.function)(*given), dtype=np.float64)
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001  whatever its class: that a row raises must not show
            return None
        # What has its rows along another axis is no image: read in this order, it would mix the numbers of rows.
        mine = image.shape[:1] == (len(values),) and image.size == len(values) * self.p
        return image.reshape(len(values), self.p) if mine else None
