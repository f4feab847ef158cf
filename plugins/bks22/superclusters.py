"""Superclustering (BKS22 Algorithm 3): balls of public rows with empty shells around them, from public rows alone."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray
from scipy.cluster.vq import vq

from dpframe.plugin import Ball, BallValue, Domain, Failed, ListOf, Post, Rows, Slot, positive_whole, register, wants

from .public import FARTHEST, Floats, distinct, in_reach, slots

Labels = NDArray[np.int64]
WIDE = 16.0
"""r over the largest distance of a row to its nearest neighbour."""
MOST_ROWS = 4000
"""Public rows whose distances are all computed; the others join the nearest of them."""


def superclusters(rows: Floats, k: int) -> Labels:
    """The supercluster of each row, numbered from 0: at most k.

    r is 16 times the largest distance of a row to the nearest *other* row (the text omits "other", which gives 0). A
    ball about the first row left has radius R = r; while its shell from R to R + 2r holds rows that are left, R grows
    by 3r, at most k times. What is left after k − 1 superclusters is the last one.

    Algorithm 3 begins at the loneliest row and takes a new r for what is left; it also stops where only the shell from
    R + r to R + 3r is empty. Here any row may come first, r is that of the whole part, and what lies so near is not cut
    off: it is told apart in the projection, or not at all.

    Examples
    --------
    >>> superclusters(np.array([[0.0], [1.0], [2.0], [900.0], [901.0]]), 3).tolist()
    [0, 0, 0, 1, 1]
    >>> superclusters(np.zeros((4, 2)), 3).tolist()
    [0, 0, 0, 0]
    """
    if not in_reach(rows):
        return np.zeros(len(rows), dtype=np.int64)
    scaled = rows - rows.mean(axis=0)
    scaled = scaled / max(float(np.abs(scaled).max()), 1.0 / FARTHEST)
    some = distinct(scaled)[:: max(1, -(-len(rows) // MOST_ROWS))]
    found: Labels = _of(some, k)[vq(scaled, some)[0]]
    return found


def _of(rows: Floats, k: int) -> Labels:
    labels = np.zeros(len(rows), dtype=np.int64)
    nearest = [np.partition(np.linalg.norm(rows - row, axis=1), 1)[1] for row in rows] if len(rows) > 1 else [0.0]
    r = WIDE * float(np.max(nearest))
    if not r > 0:
        return labels
    left = np.arange(len(rows))
    for one in range(k):
        labels[left] = one
        if one + 1 == k or len(left) == 0:
            break
        distances = np.linalg.norm(rows[left] - rows[left[0]], axis=1)
        radius = r
        for _ in range(k):
            if not ((distances > radius) & (distances <= radius + 2 * r)).any():
                break
            radius += 3 * r
        left = left[distances > radius]
        if not len(left):
            break
    return labels


@register("bks22.superclusters")
@attrs.frozen
class Superclusters(Post):
    """A ball about each supercluster of public rows, a shell wider than they reach: for ``partition_balls``.

    Parameters
    ----------
    k : int
        Most superclusters.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("public")
    k: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        rows = np.vstack([np.random.default_rng(i).normal(900.0 * i, 1.0, (20, 2)) for i in (0, 1)])
        return [(Superclusters(k=2), (Rows(2),), (rows,))]

    def output(self, *inputs: Domain) -> Domain:
        """A list of balls."""
        return ListOf(Ball(wants(inputs[0], Rows, self.name).d), self.k)

    def apply(self, *values: Any) -> Any:
        """Half way to the nearest row of another supercluster; of one alone, twice as wide as its rows reach."""
        rows = distinct(values[0])
        if not in_reach(rows):
            return Failed("there is no public row, or they are too large", "give public rows, in smaller units")
        labels = superclusters(rows, self.k)
        balls = []
        for one in range(int(labels.max()) + 1):
            centre = rows[labels == one].mean(axis=0)
            distances = np.linalg.norm(rows - centre, axis=1)
            own = float(distances[labels == one].max())
            others = float(distances[labels != one].min(initial=np.inf))
            radius = (own + others) / 2 if own < others < np.inf else 2.0 * own
            balls.append(BallValue(centre, max(radius, 1e-9 * float(np.abs(centre).max()), 2.0**-400)))
        return balls
