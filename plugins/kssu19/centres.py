"""Posts of the searches for one ball: grids over a ball, released centres, balls of all radii, the one found."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    Ball,
    BallValue,
    Domain,
    Failed,
    Grids,
    Index,
    ListOf,
    Post,
    Record,
    Slot,
    SparseCounts,
    positive,
    positive_whole,
    register,
    same,
    wants,
    whole,
)
from dpframe_plugins.practical import cells
from dpframe_plugins.practical.cells import Points
from dpframe_plugins.practical.nodes import answering, slots
from dpframe_plugins.practical.records import Floats

from .gaps import gaps
from .nodes import released_points

MOST_POINTS = 1500
"""Released cells that are searched, the fullest ones."""
THEOREM, THEOREM_STEP = 5.0, 2.0
"""Ratio c and radius step of Lemma 5.7, with which nothing is found at usual separations."""
NONE = "no ball was found: {what}"


def resized(ball: BallValue, radius: float) -> BallValue:
    """A ball of another radius, within what balls may have."""
    return BallValue(ball.centre, float(np.clip(radius, 2.0**-500, 2.0**500)))


@register("kssu19.ball_grids")
@attrs.frozen
class BallGrids(Post):
    """Nested grids over a ball, from cells as wide as it down, with a public random corner.

    Parameters
    ----------
    levels : int
        Grids; each is half as fine as the one before.
    seed : int
        Public.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("ball")
    levels: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants(inputs[0], Ball, self.name)
        return Record("grids")

    @answering
    def apply(self, *values: Any) -> Any:
        """Halving sides."""
        ball = values[0]
        sizes = 2.0 * ball.radius * 0.5 ** np.arange(float(self.levels))
        if not sizes[-1] > 0 or not np.isfinite(sizes[0]):
            raise OverflowError
        return Grids(ball.centre - ball.radius + cells.grid_offset(sizes, len(ball.centre), self.seed), sizes)


def smallest(data: Points, t: float, most: int) -> list[BallValue]:
    """Balls about the means of released cells that hold t rows for all one sees, the smallest first.

    A ball whose centre lies in an earlier one is left out: what it holds was found.

    Examples
    --------
    >>> seen = Points([[0.0], [0.2], [9.0], [9.4]], [5.0, 5.0, 4.0, 4.0], [1e-4] * 4)
    >>> [(ball.centre.round(2).tolist(), round(ball.radius, 1)) for ball in smallest(seen, 7.0, 5)]
    [([0.1], 0.1), ([9.2], 0.2)]
    """
    order = np.argsort(-data.weights, kind="stable")[:MOST_POINTS]
    positions, weights = data.positions[order], data.weights[order]
    half = np.sqrt(data.variances[order] * positions.shape[1])
    found = []
    for position in positions:
        centre = position
        for _ in range(2):  # the mean of what is held is a better centre than a cell's middle
            radius = _radius(positions, weights, half, centre, t)
            held = np.linalg.norm(positions - centre, axis=1) + half <= radius
            if not held.any():
                break
            centre = weights[held] @ positions[held] / weights[held].sum()
        found.append((_radius(positions, weights, half, centre, t), centre))
    kept: list[BallValue] = []
    for radius, centre in sorted(found, key=lambda pair: pair[0]):
        if len(kept) == most:
            break
        if radius > 0 and all(np.linalg.norm(centre - ball.centre) > ball.radius for ball in kept):
            kept.append(BallValue(centre, min(radius, 2.0**500)))
    return kept


def _radius(positions: Floats, weights: Floats, half: Floats, centre: Floats, t: float) -> float:
    """How far the nearest t rows reach; all of them where they are fewer."""
    away = np.linalg.norm(positions - centre, axis=1) + half
    order = np.argsort(away, kind="stable")
    enough = np.flatnonzero(np.cumsum(weights[order]) >= t)
    return float(away[order][enough[0] if len(enough) else -1])


@register("kssu19.centres")
@attrs.frozen
class Centres(Post):
    """Centres from released cells, repeated up to ``size``: of gaps around t rows or more, then of small balls with t.

    Parameters
    ----------
    t : int
        Rows that a ball is to hold.
    size : int
    c : float, optional
        Least ratio of a gap; without it none is looked for.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("cells", "grids")
    t: int = attrs.field(kw_only=True, validator=positive_whole)
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    c: float | None = attrs.field(default=None, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A list of balls."""
        return ListOf(Ball(wants(inputs[0], SparseCounts, self.name).p), self.size)

    @answering
    def apply(self, *values: Any) -> Any:
        """Search the cells."""
        points = released_points(*values)
        found: list[BallValue] = []
        if points is not None:
            if self.c is not None:
                found = [g.ball(self.c) for g in gaps(points, 0.5 * self.t, math.sqrt(self.c), (self.size + 1) // 2)]
            found += smallest(points, float(self.t), self.size - len(found))
        if not found:
            return Failed("no cell holds enough rows to be published", "use more rows or a larger epsilon")
        return [found[i % len(found)] for i in range(self.size)]


@register("kssu19.scan")
@attrs.frozen
class Scan(Post):
    """Balls of every radius about every centre: all centres with the first radius, then with the next.

    Parameters
    ----------
    size, radii : int
        Numbers of centres and of radii.
    step : float
        Ratio of a radius to the one before; the largest is that of the given ball.
    largest : bool
        From above, instead of from below.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("centres", "ball")
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    radii: int = attrs.field(kw_only=True, validator=positive_whole)
    step: float = attrs.field(kw_only=True, validator=positive)
    largest: bool = attrs.field(default=False, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A list of balls."""
        ball = wants(inputs[1], Ball, self.name)
        same(wants(wants(inputs[0], ListOf, self.name).item, Ball, self.name).d, ball.d, self.name)
        return ListOf(ball, self.size * self.radii)

    @answering
    def apply(self, *values: Any) -> Any:
        """Radius by radius."""
        centres, ball = values
        radii = ball.radius * self.step ** -np.arange(float(self.radii))
        return [resized(centre, r) for r in (radii if self.largest else radii[::-1]) for centre in centres]


@register("kssu19.at_radius")
@attrs.frozen
class AtRadius(Post):
    """The balls of the radius that passed, about every centre; ⊥ where none did.

    Parameters
    ----------
    size : int
        Number of centres.
    enlarge : float
        Their radii are multiplied by it.
    what : str
        What a ball was asked to be, for the reason of a failure.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("balls", "index")
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    enlarge: float = attrs.field(default=1.0, kw_only=True, validator=positive)
    what: str = attrs.field(default="none holds enough rows", kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A list of balls."""
        wants(inputs[1], Index, self.name)
        return ListOf(wants(wants(inputs[0], ListOf, self.name).item, Ball, self.name), self.size)

    @answering
    def apply(self, *values: Any) -> Any:
        """Take them."""
        balls, index = values
        found = [] if index is None else balls[index * self.size : (index + 1) * self.size]
        if not found:
            return Failed(NONE.format(what=self.what), "use more rows, a larger epsilon, or a smaller t")
        return [resized(ball, self.enlarge * ball.radius) for ball in found]


@register("kssu19.chosen")
@attrs.frozen
class Chosen(Post):
    """One ball of a list, by a released index; ⊥ where there is none.

    Parameters
    ----------
    what : str
        What a ball was asked to be.
    grow : float
        Its radius is multiplied by it.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("balls", "index")
    what: str = attrs.field(default="none holds enough rows", kw_only=True)
    grow: float = attrs.field(default=1.0, kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        wants(inputs[1], Index, self.name)
        return wants(wants(inputs[0], ListOf, self.name).item, Ball, self.name)

    @answering
    def apply(self, *values: Any) -> Any:
        """Take it."""
        balls, index = values
        if index is None or index >= len(balls):
            return Failed(NONE.format(what=self.what), "use more rows, a larger epsilon, or a smaller t")
        return resized(balls[index], self.grow * balls[index].radius)


@register("kssu19.terrific")
@attrs.frozen
class Terrific(Chosen):
    """The terrific ball that passed; ⊥ where none did.

    Parameters
    ----------
    c, step : float
        Ratios of the annulus and of the radii, to warn of those below the theorem's.
    """

    c: float = attrs.field(kw_only=True, validator=positive)
    step: float = attrs.field(kw_only=True, validator=positive)

    def warnings(self) -> list[str]:
        """Below the theorem's ratios."""
        return below_theorem(self.c, self.step)


def below_theorem(c: float, step: float | None = None) -> list[str]:
    """What a plan says where its ratios are below those of Lemma 5.7."""
    given = [f"c={c:g} is below the {THEOREM:g}"] if c < THEOREM else []
    if step is not None and step < THEOREM_STEP:
        given.append(f"step={step:g} is below the {THEOREM_STEP:g}")
    return [f"{text} of KSSU19's theorem; privacy does not depend on it" for text in given]
