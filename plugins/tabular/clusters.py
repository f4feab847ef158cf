"""k-means: starts from a first mixture that released cells give, then Lloyd's steps on noisy sums of each cluster.

The first mixture tells how rows are spread, and its own k-means, of points drawn from it, are the starts. Its means
alone are none: of rows that are no clusters (ages, incomes) they lie close together where rows are dense, and Lloyd's
steps leave there too slowly.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    Above,
    Array,
    Ball,
    BallValue,
    Domain,
    Expected,
    Handle,
    Post,
    Quality,
    Slot,
    composite,
    positive,
    positive_whole,
    register,
    wants,
    whole,
)
from dpframe_plugins.classic.checks import bounded
from dpframe_plugins.practical import cells
from dpframe_plugins.practical.records import Mixture
from dpframe_plugins.practical.seeding import plus_plus

from .frame import held

LOCATE, SEEDS, STEPS = 0.08, 0.32, (1.0, 1.5, 2.0)
"""Parts of the share of the ball and of the starts; and how the rest goes to Lloyd's steps."""
EACH, DRAWN, TRIES, SETTLED = 500, (4_000, 20_000), 8, 30
"""Points drawn for each cluster, least and most in all; other starts of their k-means, and its steps."""
MANY, CLEARLY = 20, 1e-3
"""Clusters beyond which two other starts are enough; part by which one must be cheaper than the mixture's means."""
CLEAR = 4.0
"""Deviations of its noise that the number of a cluster's rows must show for its centre to move."""
INSTANCE = "k clusters N(m, I) of equal size, ten deviations apart, in a bound ten times too large"
Floats = NDArray[np.float64]


@composite("tabular.kmeans")
def kmeans(x: Handle, *, k: int, bound: float, seed: int = 0, share: float = 1.0) -> dict[str, Handle]:
    """Centres of k clusters, from a generous bound.

    Parameters
    ----------
    x : Handle
        The private table.
    k : int
        Number of clusters.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in; generous is fine.
    seed : int
        Public seed of the pairs of rows, the grids and the starts.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        ``centres`` (k, d); ``sizes`` (k, 1), noisy numbers of rows; ``noise`` (k, 1), the standard deviation of the
        noise of each coordinate of a centre.

    Formal guarantees
    -----------------
    A ball and a first mixture as in ``practical_mixture``; starts are made of it alone, with public random numbers.
    Then three steps, each of which parts the rows by the nearest released centre (``rule_partition``) and releases sum
    and count of every part with Gaussian noise.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("c", dp.recipe("tabular.kmeans", k=2, bound=1e6), x)["centres"]
    >>> budget = dp.approx_dp(1.0, 1e-6)
    >>> dp.plan(example, x=dp.rows(d=3), adjacency=dp.ADD_REMOVE, budget=budget).verdict.holds
    True
    """
    x = bounded(x, bound=bound)
    located = dp.apply("located", dp.recipe("practical.locate", bound=bound, share=LOCATE * share), x)
    ball = dp.post("tabular.within", located["ball"], dp.constant([0.0] * x.d), bound=bound, name="ball")
    steps = dp.recipe("practical.seed", k=k, share=SEEDS * share, seed=seed)
    first = dp.apply("first", steps, x, ball, located["count"])
    start = dp.post("practical.start", first, place=0, places=1, name="chosen")
    state = dp.post("tabular.centres", start, ball, k=k, bound=bound, seed=seed, name="start")
    left = (1.0 - LOCATE - SEEDS) * share
    for t, weight in enumerate(STEPS):
        points = dp.post("tabular.points", state, k=k, name=f"points_{t}")
        parts = dp.partition_nearest(x, points, centres=k)
        seen = []
        for j, part in enumerate(parts):
            ball = dp.post("tabular.cluster_ball", state, j=j, name=f"ball_{t}_{j}")
            total = dp.mean(dp.clip(part, ball))
            mechanism = dp.gaussian(share=weight / sum(STEPS) * left)
            seen.append(dp.release(f"sum_{t}_{j}", mechanism, total, frame=True))
        state = dp.post("tabular.lloyd", state, *seen, k=k, bound=bound, name=f"state_{t}")
    return {what: dp.post("tabular.read_centres", state, what=what, name=what) for what in READINGS}


READINGS: dict[str, slice] = {"centres": slice(0, -3), "sizes": slice(-2, -1), "noise": slice(-1, None)}
SPARE = 3
"""A state is (k, d + 3): centre, radius that holds the cluster's rows, noisy size, noise of a coordinate."""


def _columns(state: Domain, what: str) -> int:
    """Number of columns of the table that a state is of."""
    shape = wants(state, Array, what).shape
    if len(shape) != 2 or shape[1] <= SPARE:
        raise dp.PlanError(f"{what} takes a state (k, d + {SPARE}), not {state}", fix="give it tabular.centres")
    return int(shape[1]) - SPARE


@register("tabular.centres")
@attrs.frozen
class Centres(Post):
    """The first state: centres of the k-means of a mixture in a ball's frame, with radii that hold their rows.

    Parameters
    ----------
    k : int
    bound : float, optional
        ℓ₂ radius around 0 that centres stay in.
    seed : int
        Public seed of the points that are drawn from the mixture.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("mixture", PARAM), Slot("ball", PARAM))
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    bound: float | None = attrs.field(default=None, kw_only=True, validator=attrs.validators.optional(positive))
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A state."""
        ball = inputs[1]
        if not isinstance(ball, Ball):
            raise dp.PlanError("tabular.centres takes a mixture and a ball", fix="give it both")
        return Array((self.k, ball.d + 3))

    def apply(self, *values: Any) -> Any:
        """The k-means of the mixture; a radius is that of the spread, or half of the way to the next one."""
        mixture, ball = values
        middle, spread = parted(mixture, self.seed)
        means, spread = held(ball.centre + ball.radius * middle, self.bound), ball.radius * spread
        radius = np.clip(3.0 * spread, 1e-3 * ball.radius, 2.0 * ball.radius)
        gaps = np.linalg.norm(means[:, None] - means, axis=2) + np.where(np.eye(len(means)) > 0, np.inf, 0.0)
        near = gaps.min(axis=1) if len(means) > 1 else np.zeros(1)
        radius = np.minimum(np.maximum(radius, np.where(np.isfinite(near), 0.5 * near, 0.0)), 2.0 * ball.radius)
        return np.column_stack([means, radius, np.zeros(len(means)), np.zeros(len(means))])


def parted(mixture: Mixture, seed: int) -> tuple[Floats, Floats]:
    """Centres (k, d) of the k-means of a mixture, and root mean square distances (k,) of its points from them.

    From its means, and from other starts, of which one must be clearly cheaper.

    Examples
    --------
    >>> wide = Mixture(weights=[0.5, 0.5], means=[[0.0], [0.1]], cholesky=[[[0.1]], [[1.0]]])
    >>> centres, spread = parted(wide, 0)
    >>> bool(np.ptp(centres) > 1.0), bool(spread.max() < 1.0)
    (True, True)
    """
    rng, (k, d) = np.random.default_rng(seed), mixture.means.shape
    drawn = np.clip(EACH * k, *DRAWN) * mixture.weights
    own = np.repeat(np.arange(k), np.maximum(np.rint(drawn), 1).astype(np.int64))
    points = mixture.means[own] + np.einsum("nij,nj->ni", mixture.cholesky[own], rng.normal(size=(len(own), d)))
    same_weights = cells.Points(points, np.ones(len(points)), np.ones(len(points)))
    least, centres, spread = _settled(points, mixture.means)
    for start in plus_plus(same_weights, k, TRIES if k <= MANY else 2, rng):
        cost, *found = _settled(points, start)
        if cost < (1.0 - CLEARLY) * least:
            least, (centres, spread) = cost, found
    return centres, spread


def _settled(points: Floats, centres: Floats) -> tuple[float, Floats, Floats]:
    """What Lloyd's steps end with: mean square distance, centres, and each one's root mean square distance."""
    from scipy.cluster.vq import vq

    for _ in range(SETTLED):
        own, far = vq(points, centres)
        sizes = np.bincount(own, minlength=len(centres))
        sums = np.column_stack([np.bincount(own, column, len(centres)) for column in points.T])
        centres = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], centres)
    squares = np.bincount(own, np.square(far), len(centres))
    return float(squares.sum()) / len(points), centres, np.sqrt(squares / np.maximum(sizes, 1))


@register("tabular.points")
@attrs.frozen
class Points(Post):
    """The centres of a state.

    Parameters
    ----------
    k : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("state", PARAM),)
    k: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """Points (k, d)."""
        return Array((self.k, _columns(inputs[0], self.name)))

    def apply(self, *values: Any) -> Any:
        """Leave the rest."""
        return np.asarray(values[0], dtype=np.float64)[:, :-3]


@register("tabular.cluster_ball")
@attrs.frozen
class ClusterBall(Post):
    """The ball of one cluster of a state.

    Parameters
    ----------
    j : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("state", PARAM),)
    j: int = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        return Ball(_columns(inputs[0], self.name))

    def apply(self, *values: Any) -> Any:
        """Centre and radius."""
        row = np.asarray(values[0], dtype=np.float64)[self.j]
        return BallValue(row[:-3], max(float(row[-3]), 2.0**-380))


@register("tabular.lloyd")
@attrs.frozen
class Lloyd(Post):
    """Centres moved to the noisy means of their parts; one whose rows do not stand out of the noise stays.

    Parameters
    ----------
    k : int
    bound : float, optional
        ℓ₂ radius around 0 that centres stay in.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("state", PARAM), Slot("sums", PARAM, variadic=True))
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    bound: float | None = attrs.field(default=None, kw_only=True, validator=attrs.validators.optional(positive))

    def output(self, *inputs: Domain) -> Domain:
        """A state."""
        return inputs[0]

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """One step; a step never leaves the ball that rows were clipped to."""
        state = np.array(values[0], dtype=np.float64)
        for row, released, std in zip(state, values[1:], noise[1:], strict=True):
            total = np.asarray(released, dtype=np.float64)
            rows, radius = float(total[-1]), float(row[-3])
            row[-2] = max(rows, 0.0)
            row[-1] = radius * std / max(rows, std, 1.0)
            if rows > CLEAR * std:
                step = total[:-1] / rows
                row[:-3] = held(row[:-3] + radius * step / max(1.0, math.hypot(*step)), self.bound)
        return state


@register("tabular.read_centres")
@attrs.frozen
class ReadCentres(Post):
    """Centres, sizes or noise of a state.

    Parameters
    ----------
    what : {"centres", "sizes", "noise"}
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("state", PARAM),)
    what: str = attrs.field(kw_only=True, validator=attrs.validators.in_(tuple(READINGS)))

    def output(self, *inputs: Domain) -> Domain:
        """Numbers (k, d) or (k, 1)."""
        d = _columns(inputs[0], self.name)
        return Array((wants(inputs[0], Array, self.name).shape[0], d if self.what == "centres" else 1))

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Of the last step, whose rows are clipped to what cells show of a cluster's spread."""
        k, d = wants(result, Array, self.name).shape
        stds = noise.of("mean")[-k:]
        if self.what != "centres" or not rows or len(stds) < k:
            return None
        each, wide = rows / k, max(4.0 * math.sqrt(d), 5.0)
        square = d * (1.0 / each + (wide / each) ** 2 * sum(std**2 for std in stds) / k)
        what = "distance of a centre, in standard deviations of its cluster (root mean square)"
        seen = each > CLEAR * max(stds)
        return Expected(math.sqrt(square) if seen else math.inf, what, INSTANCE)

    def quality(self, values: tuple[Any, ...], noise: tuple[float, ...], result: Any) -> Quality | None:
        """Poor where a cluster's rows do not stand out of their noise; never good: other optima are not looked at."""
        state = np.asarray(values[0], dtype=np.float64)
        unseen = np.flatnonzero(state[:, -1] * CLEAR > state[:, -3])
        if self.what != "centres" or not unseen.size:
            return None
        few = ", ".join(map(str, unseen[:10])) + ", ..." * int(unseen.size > 10)
        why = f"the number of rows of cluster {few} (counted from 0) is not above its noise: its centre is a start's"
        return Quality("poor", why + "; fewer clusters, more rows or a larger budget make it better")

    def apply(self, *values: Any) -> Any:
        """Cut it out."""
        return np.asarray(values[0], dtype=np.float64)[:, READINGS[self.what]]
