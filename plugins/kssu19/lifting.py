"""Posts of the 1-cluster: a public random projection, balls to and from it, means and radii in all columns."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    AffineMap,
    AffineValue,
    Ball,
    BallValue,
    Counts,
    Domain,
    Post,
    Slot,
    Vector,
    positive,
    positive_whole,
    register,
    same,
    wants,
    whole,
)
from dpframe_plugins.practical.locate import radial_edges
from dpframe_plugins.practical.nodes import answering, map_scale, slots

from .centres import resized


@register("kssu19.random_projection")
@attrs.frozen
class RandomProjection(Post):
    """``x ↦ Bᵀ(x − p)`` with p the centre of a ball and B the basis of a public random subspace.

    Parameters
    ----------
    rank : int
        Columns of B.
    seed : int
        Public.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("ball")
    rank: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """An affine map."""
        d = wants(inputs[0], Ball, self.name).d
        return AffineMap(d, min(self.rank, d))

    @answering
    def apply(self, *values: Any) -> Any:
        """Orthonormal columns."""
        ball = values[0]
        d = len(ball.centre)
        basis = np.linalg.qr(np.random.default_rng(self.seed).standard_normal((d, min(self.rank, d))))[0]
        return AffineValue(ball.centre, np.ascontiguousarray(basis), map_scale(ball))


@register("kssu19.seen_ball")
@attrs.frozen
class SeenBall(Post):
    """What a ball becomes under an orthogonal projection about its centre: the ball of that radius about 0."""

    slots: ClassVar[tuple[Slot, ...]] = slots("ball", "map")

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        through = wants(inputs[1], AffineMap, self.name)
        same(through.d, wants(inputs[0], Ball, self.name).d, self.name)
        return Ball(through.p)

    @answering
    def apply(self, *values: Any) -> Any:
        """About 0."""
        return BallValue(np.zeros(values[1].matrix.shape[1]), values[0].radius)


@register("kssu19.lifted_ball")
@attrs.frozen
class LiftedBall(Post):
    """A ball of the projection, lifted: its centre in the whole space, twice as wide as the ball that was projected."""

    slots: ClassVar[tuple[Slot, ...]] = slots("found", "map", "ball")

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        found, through, ball = inputs
        mapped = wants(through, AffineMap, self.name)
        same(mapped.d, wants(ball, Ball, self.name).d, self.name)
        same(mapped.p, wants(found, Ball, self.name).d, self.name)
        return ball

    @answering
    def apply(self, *values: Any) -> Any:
        """Lift."""
        found, through, ball = values
        return BallValue(through.shift + through.matrix @ found.centre, min(2.0 * ball.radius, 2.0**500))


@register("kssu19.recentred")
@attrs.frozen
class Recentred(Post):
    """A ball twice as wide about the noisy mean of the rows clipped to it; the ball itself where they are few."""

    slots: ClassVar[tuple[Slot, ...]] = slots("sum", "ball")

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        ball = wants(inputs[1], Ball, self.name)
        same(wants(inputs[0], Vector, self.name).d, ball.d + 1, self.name)
        return ball

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Sum and number of rows were released together."""
        total, ball = np.asarray(values[0], dtype=np.float64), values[1]
        if not total[-1] > max(3.0 * noise[0], 1.0):
            return ball
        step = total[:-1] / total[-1]
        step = step / max(1.0, float(np.linalg.norm(step)))
        return resized(BallValue(ball.centre + ball.radius * step, 1.0), 2.0 * ball.radius)


@register("kssu19.holding")
@attrs.frozen
class Holding(Post):
    """The ball about the same centre that holds t rows, from a noisy histogram of distances; else the ball itself.

    Parameters
    ----------
    t : int
    ratio : float
        Of the histogram's edges.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("ball", "distances")
    t: int = attrs.field(kw_only=True, validator=positive_whole)
    ratio: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        wants(inputs[1], Counts, self.name)
        return wants(inputs[0], Ball, self.name)

    @answering
    def apply(self, *values: Any) -> Any:
        """The first edge within which the noisy counts make t."""
        ball, counts = values[0], np.asarray(values[1], dtype=np.float64)
        edges = radial_edges(ball.radius, bins=len(counts) - 1, ratio=self.ratio)
        enough = np.flatnonzero(np.cumsum(counts[:-1]) >= self.t)
        return resized(ball, float(edges[enough[0]]) if len(enough) else ball.radius)
