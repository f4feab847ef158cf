"""``distance_histogram``: how far rows are from a released point, in geometric bins."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.exact import folds, lattice
from dpframe.kernel.operations import Batch, Statistic
from dpframe.kernel.registry import register
from dpframe.proof.spaces import MOST_LISTED, BallValue, Domain, above_one, up_to


@register("distance_histogram")
@attrs.frozen
class DistanceHistogram(Statistic):
    """Counts of ‖x − p‖ in bins with edges ``r·ratio^(i − edges + 1)``, i = 0..edges−1, the last bin unbounded.

    Parameters
    ----------
    edges : int
        Number of edges; there are ``edges + 1`` bins, closed on the right.
    ratio : float
        Ratio of neighbouring edges, above 1.

    Formal guarantees
    -----------------
    Sensitivity: a one-hot vector a row (``histograms``). A row's bin depends on that row and the released ball.

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> how_far, ball = DistanceHistogram(edges=3, ratio=2.0), BallValue(np.zeros(2), 4.0)
    >>> fold = how_far.start(Rows(2), ball)
    >>> how_far.update(fold, Batch(0, np.array([[0.5, 0.0], [0.0, 2.0], [9.0, 9.0]]), np.ones(3, dtype=bool)), ball)
    >>> how_far.value(fold).integers.tolist()  # up to 1, 2 and 4 away, and farther
    [1, 1, 0, 1]
    """

    edges: int = attrs.field(default=96, kw_only=True, validator=up_to(MOST_LISTED))
    ratio: float = attrs.field(default=2.0**0.5, kw_only=True, validator=above_one)

    def start(self, domain: Domain, *params: Any) -> Any:
        """Empty bins."""
        return folds.HistogramFold(self.edges + 1)

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Bin the rows of a batch; empty rows fall in no bin."""
        ball: BallValue = params[0]
        with np.errstate(all="ignore"):
            offset = np.multiply(batch.values.T, 0.5, order="C")  # a column lies in a row, for long inner loops
            offset -= (ball.centre * 0.5)[:, None]
            offset /= ball.radius * 0.5
            largest = np.maximum(offset.max(axis=0), -offset.min(axis=0))
            offset /= np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
            distance = largest * np.sqrt(lattice.column_norms(np.square(offset, out=offset)))
        distance[~np.isfinite(distance)] = np.inf
        edges = float(self.ratio) ** np.arange(1.0 - self.edges, 1.0)
        bins = np.searchsorted(edges, distance, side="left")
        fold.update(np.where(batch.valid, bins, -1))
