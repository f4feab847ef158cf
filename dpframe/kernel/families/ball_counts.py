"""``ball_counts`` and ``terrific_score``: counts of rows in released balls, as scores."""

from __future__ import annotations

import math
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Batch, Exact, Statistic
from dpframe.kernel.registry import register
from dpframe.kernel.transforms.partition import inside
from dpframe.proof.spaces import MOST_LISTED, MOST_ROWS, BallValue, Domain, above_one, up_to


@attrs.frozen
class _Counter:
    """Integer counts that add."""

    counts: np.ndarray[Any, np.dtype[np.int64]]

    def merge(self, other: _Counter) -> None:
        """Add."""
        self.counts[...] += other.counts


@register("ball_counts")
@attrs.frozen
class BallCounts(Statistic):
    """Rows in each of a released list of balls, which may overlap; balls beyond the list count 0.

    Formal guarantees
    -----------------
    Sensitivity: max(removed, added) each, in ℓ∞ (``ball_counts``); the centres are released or public (T9).

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> counts, balls = BallCounts(size=3), [BallValue(np.zeros(1), 1.0), BallValue(np.zeros(1), 9.0)]
    >>> fold = counts.start(Rows(1), balls)
    >>> counts.update(fold, Batch(0, np.array([[0.5], [-4.0], [30.0]]), np.ones(3, dtype=bool)), balls)
    >>> counts.value(fold).integers.tolist()  # two balls of at most three
    [1, 2, 0]
    """

    size: int = attrs.field(kw_only=True, validator=up_to(MOST_LISTED))

    def start(self, domain: Domain, *params: Any) -> Any:
        """Zeros."""
        return _Counter(np.zeros(self.size, dtype=np.int64))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Count ball by ball."""
        for i, ball in enumerate(params[0][: self.size]):
            fold.counts[i] += np.count_nonzero(inside(batch, ball) & batch.valid)

    def value(self, fold: Any) -> Exact:
        """The counts."""
        return Exact(fold.counts)


@register("terrific_score")
@attrs.frozen
class TerrificScore(BallCounts):
    """min{#ᵗ in B_r, #ᵗ outside B_cr, t − #ᵗ in the annulus} for each released ball, counts capped at t.

    Parameters
    ----------
    t : int
        Cap of the counts, at most 2^40.
    c : float
        Outer radius over inner radius; privacy does not depend on it. A released ratio above 1 takes its
        place where one is given.

    Formal guarantees
    -----------------
    Sensitivity: max(removed, added) in ℓ∞ (``terrific_score``): a minimum of terms that each move by that much.

    References
    ----------
    KSSU19 Lemma 5.7; BKS22 C7.

    Examples
    --------
    >>> from dpframe.proof.spaces import Rows
    >>> scores, balls = TerrificScore(size=1, t=4), [BallValue(np.zeros(1), 1.0)]
    >>> fold = scores.start(Rows(1), balls)
    >>> rows = Batch(0, np.array([[0.0], [0.5], [3.0], [40.0], [41.0], [42.0]]), np.ones(6, dtype=bool))
    >>> scores.update(fold, rows, balls)
    >>> scores.value(fold).integers.tolist()  # 2 within, 3 beyond five times the radius, 4 − 1 not between
    [2]
    """

    t: int = attrs.field(kw_only=True, validator=up_to(MOST_ROWS, "use the number of rows"))
    c: float = attrs.field(default=5.0, kw_only=True, validator=above_one)

    def ratio(self, params: tuple[Any, ...]) -> float:
        """Outer radius over inner radius."""
        given = float(params[1][0]) if len(params) > 1 else self.c
        return given if 1 < given < math.inf else self.c

    def start(self, domain: Domain, *params: Any) -> Any:
        """Counts of inner and outer ball, and of all rows."""
        return _Counter(np.zeros((3, self.size), dtype=np.int64))

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        """Count ball by ball."""
        c = self.ratio(params)
        for i, ball in enumerate(params[0][: self.size]):
            outer = inside(batch, BallValue(ball.centre, ball.radius * c))
            inner = inside(batch, ball) & outer
            for row, mask in enumerate((inner, outer, np.ones_like(outer))):
                fold.counts[row, i] += np.count_nonzero(mask & batch.valid)

    def value(self, fold: Any) -> Exact:
        """The scores."""
        inner, outer, every = fold.counts
        t = min(self.t, 2**62)  # no count is as large
        terms = (inner, every - outer, t - np.minimum(outer - inner, t))
        return Exact(np.minimum.reduce([np.minimum(term, t) for term in terms]))
