"""Released values that travel between operations: balls, maps, mixtures, outcomes."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np


@attrs.frozen
class Outcome:
    """A released test: ``passed`` and the released noisy value (infinite values never occur)."""

    passed: bool
    value: float


@attrs.frozen(eq=False)
class BallValue:
    """A ball: ``centre`` of shape (d,), ``radius`` > 0, in the units of the table."""

    centre: np.ndarray[Any, np.dtype[np.float64]]
    radius: float


class Centred(np.ndarray[Any, np.dtype[np.float64]]):
    """A sum about a point: an array that says in ``centre`` what was taken off each row.

    What is computed from it is about no stated point: there ``centre`` is None.

    Examples
    --------
    >>> total = Centred([3.0, 4.0], centre=[1.0, 1.0])
    >>> total.centre.tolist(), (total / 2).centre
    ([1.0, 1.0], None)
    """

    centre: np.ndarray[Any, np.dtype[np.float64]] | None

    def __new__(cls, values: Any, *, centre: Any) -> Centred:
        """A copy of the values as floats."""
        made = np.array(values, dtype=np.float64).view(cls)
        made.centre = np.array(centre, dtype=np.float64)
        return made

    def __array_finalize__(self, obj: Any) -> None:
        """Of whatever NumPy makes of one, the centre is not known."""
        self.centre = None

    def __deepcopy__(self, memo: Any) -> Centred:
        """A copy about the same point."""
        made = self.copy()
        made.centre = None if self.centre is None else self.centre.copy()
        return made


@attrs.frozen(eq=False)
class AffineValue:
    """``x ↦ (x − shift) @ matrix``; rows further than ``scale`` from ``shift`` saturate there."""

    shift: np.ndarray[Any, np.dtype[np.float64]]
    matrix: np.ndarray[Any, np.dtype[np.float64]]
    scale: float


@attrs.frozen(eq=False)
class WhiteningValue:
    """Component j sees ``z = (x − shift_j) @ matrix_j``, clipped to norm ``clip``, as ``(anchor, z)``.

    ``log_weights[j] − |z_j|²/2`` is the row's log responsibility for j, up to a constant.
    """

    maps: tuple[AffineValue, ...]
    log_weights: np.ndarray[Any, np.dtype[np.float64]]
    clip: float
    anchor: float


@attrs.frozen(eq=False)
class GaussianValue:
    """``mean`` (d,) and ``covariance`` (d, d), in the units of the table."""

    mean: np.ndarray[Any, np.dtype[np.float64]]
    covariance: np.ndarray[Any, np.dtype[np.float64]]


@attrs.frozen(eq=False)
class MixtureValue:
    """``weights`` (k,), ``means`` (k, d), ``covariances`` (k, d, d), in the units of the table."""

    weights: np.ndarray[Any, np.dtype[np.float64]]
    means: np.ndarray[Any, np.dtype[np.float64]]
    covariances: np.ndarray[Any, np.dtype[np.float64]]
