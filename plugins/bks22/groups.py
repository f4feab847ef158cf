"""Groups of public rows, and the balls that part the private ones like them."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    AffineMap,
    AffineValue,
    Ball,
    BallValue,
    Domain,
    Failed,
    ListOf,
    Post,
    Record,
    Rows,
    Slot,
    find_learner,
    positive_whole,
    register,
    wants,
    whole,
)

from .public import REACH, Floats, distinct, in_reach, slots, whitening

GROUPS = "bks22.groups"
MOST_LINKED = 1500
"""Public rows that are clustered pair by pair; the others join the nearest mean."""
LEAST_WEIGHT = 1e-6


@attrs.frozen(eq=False)
class Groups:
    """Distinct public rows by group: the group of each (m,), their means (k, d), and a ball for each group."""

    rows: Floats
    labels: np.ndarray[Any, np.dtype[np.int64]]
    balls: tuple[BallValue, ...]


def grouped(rows: Floats, k: int, seed: int) -> Groups | None:
    """Spectral clustering of public rows; the balls reach half way, by ratio, to the nearest row of another group.

    Examples
    --------
    >>> found = grouped(np.array([[0.0], [0.1], [0.3], [9.0], [9.1], [9.3]]), 2, 0)
    >>> sorted(ball.centre.round(1).tolist() for ball in found.balls)
    [[0.1], [9.1]]
    """
    rng = np.random.default_rng(seed)
    some = rows[rng.permutation(len(rows))[:MOST_LINKED]]
    means = _spectral(some, k, rng)
    means = _linked(some, k) if means is None else means
    if means is None:
        return None
    labels = nearest(rows, means)
    if len(np.unique(labels)) < k:
        return None
    balls = tuple(_ball(rows, labels, i) for i in range(k))
    order = np.argsort([ball.radius for ball in balls], kind="stable")  # a small ball inside a wide one comes first
    place = np.argsort(order)
    return Groups(rows, place[labels], tuple(balls[i] for i in order))


def _spectral(rows: Floats, k: int, rng: np.random.Generator) -> Floats | None:
    """Means of clusters that VW02's algorithm finds, which wants many rows a column."""
    try:
        with np.errstate(all="ignore"):
            means = np.asarray(find_learner(f"spectral_{k}")(rows, rng)[1], dtype=np.float64)
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        return None
    return means if means.shape == (k, rows.shape[1]) and np.isfinite(means).all() else None


def _linked(rows: Floats, k: int) -> Floats | None:
    """Means of k clusters by single linkage in the k directions of largest variance, for few rows."""
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(rows) < 2:
        return rows if k == 1 and len(rows) else None
    scale = np.abs(rows - rows.mean(axis=0)).max()
    centred = (rows - rows.mean(axis=0)) / (scale if scale > 0 else 1.0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    labels = fcluster(linkage(centred @ directions[:k].T, "single"), k, "maxclust")
    found = np.unique(labels)
    return np.array([rows[labels == c].mean(axis=0) for c in found]) if len(found) == k else None


def nearest(rows: Floats, means: Floats) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The nearest mean of each row."""
    distances = [np.linalg.norm(rows - mean, axis=1) for mean in means]
    found: np.ndarray[Any, np.dtype[np.int64]] = np.argmin(distances, axis=0)
    return found


def _ball(rows: Floats, labels: np.ndarray[Any, np.dtype[np.int64]], i: int) -> BallValue:
    centre = rows[labels == i].mean(axis=0)
    distances = np.linalg.norm(rows - centre, axis=1)
    own, others = distances[labels == i].max(), distances[labels != i].min(initial=math.inf)
    least = max(float(own), 1e-9 * float(others)) if math.isfinite(others) else 4.0 * float(own)
    radius = math.sqrt(least * others) if least < others < math.inf else 1.05 * least
    return BallValue(centre, max(radius, 2.0**-400))


@register("bks22.groups")
@attrs.frozen
class GroupsOf(Post):
    """k groups of public rows (Algorithm 9), by spectral clustering; ⊥ where there are none.

    Parameters
    ----------
    k : int
    seed : int
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("public")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        rows = np.vstack([np.random.default_rng(i).normal(9.0 * i, 1.0, (8, 2)) for i in (0, 1)])
        return [(GroupsOf(k=2), (Rows(2),), (rows,))]

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants(inputs[0], Rows, self.name)
        return Record(GROUPS)

    def apply(self, *values: Any) -> Any:
        """Cluster."""
        rows = distinct(values[0])
        found = grouped(rows, self.k, self.seed) if len(rows) >= self.k and in_reach(rows) else None
        if found is None:
            return Failed(
                f"the {len(rows)} distinct public rows make no {self.k} groups",
                "give more public rows, or use bks22_gmm_hard, which needs few",
            )
        return found


@register("bks22.group_balls")
@attrs.frozen
class GroupBalls(Post):
    """The ball of each group, small ones first."""

    slots: ClassVar[tuple[Slot, ...]] = slots("groups")
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A list."""
        return ListOf(Ball(self.d), self.k)

    def apply(self, *values: Any) -> Any:
        """Take them."""
        return list(values[0].balls)


@register("bks22.group_frame")
@attrs.frozen
class GroupFrame(Post):
    """The frame of one group's public rows; of its radius alone where these are fewer than d + 1 (Theorem 4.29).

    Parameters
    ----------
    index : int
        Of the group.
    d : int
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("groups")
    index: int = attrs.field(kw_only=True, validator=whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A square map."""
        return AffineMap(self.d, self.d)

    def apply(self, *values: Any) -> Any:
        """Whiten, or scale."""
        groups: Groups = values[0]
        rows, ball = groups.rows[groups.labels == self.index], groups.balls[self.index]
        found = whitening(rows) if len(rows) > self.d else None
        if found is None:
            width = ball.radius / math.sqrt(self.d)
            return AffineValue(ball.centre, np.eye(self.d) / width, REACH * ball.radius)
        return AffineValue(found[0], found[1], REACH * found[2])
