"""Where the rows lie: a power of two for each column, and a ball that holds nearly all rows in these units."""

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
    Ball,
    BallValue,
    Counts,
    Domain,
    ExpectedBall,
    Handle,
    Post,
    Slot,
    Vector,
    non_negative,
    positive,
    register,
    same,
    wants,
)
from dpframe.plugin import powers_of_two as powers
from dpframe_plugins.classic.checks import positive_number, table
from dpframe_plugins.classic.search import within

from .tails import SURE, excess, without_strays

UNITS, CENTRE, RADIUS = 0.03, 0.07, 0.05
"""Parts of the share that are spent on the columns' powers of two, on a first ball, and on its last radius."""
FRAME = UNITS + CENTRE + RADIUS
RATIO, EDGES, BEYOND = 2.0**0.25, 45, 2.0**8
"""The last radius: bins of distances from the centre, out to 256 times the radius that holds 98 % of the rows."""


@attrs.frozen(eq=False)
class Frame:
    """What a recipe knows of the rows: released powers of two, a ball in these units, the share left and more."""

    rows: Handle
    units: Handle
    ball: Handle
    share: float
    bound: float | None = None
    distances: Handle | None = None


def find_frame(
    x: Handle, *, bound: float, share: float, tight: bool, power: int, seed: int, tails: bool = False
) -> Frame:
    """Rows in comparable units, and a ball for clipping them.

    Parameters
    ----------
    x : Handle
        The private table.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in.
    share : float
        Share of ρ of the frame and of what is released in it.
    tight : bool
        The bound's own ball is taken, in the units of the table, and nothing is spent.
    power : {1, 2}
        Whether rows or their squares are summed: what a far row counts, against the noise of a wide ball.
    seed : int
        Public seed of the pairs of rows.
    tails : bool
        Whether the ball leaves room for the tail that no bin shows (`tails.excess`).
    """
    table(x, bound)
    positive_number("bound", bound)
    if tight:
        return Frame(x, dp.constant([0.0] * x.d), dp.bounding_ball(d=x.d, bound=bound), share, bound)
    units = dp.apply("units", dp.recipe("practical.units", share=UNITS * share, seed=seed, alike=0), x)
    steps = dp.recipe("practical.locate", bound=bound, share=CENTRE * share)
    found = dp.post("tabular.within", dp.apply("located", steps, x, units)["ball"], units, bound=bound, name="found")
    scaled = dp.rescale(x, units)
    ball, far = find_radius(scaled, found, share=RADIUS * share, left=(1.0 - FRAME) * share, power=power, tails=tails)
    ball = dp.post("tabular.within", ball, units, bound=bound, name="ball")
    return Frame(scaled, units, ball, (1.0 - FRAME) * share, bound, far)


def held(points: NDArray[np.float64], bound: float | None) -> NDArray[np.float64]:
    """Points, or one, projected into the ball around 0 of this radius, if there is one.

    Examples
    --------
    >>> held(np.array([[3.0, 4.0], [0.3, 0.4]]), 1.0).round(6).tolist()
    [[0.6, 0.8], [0.3, 0.4]]
    """
    if bound is None:
        return points
    scale = np.abs(points).max(axis=-1, keepdims=True)
    safe = np.where(scale > 0.0, scale, 1.0)
    lengths = np.linalg.norm(points / safe, axis=-1, keepdims=True) * (scale / bound)
    return np.asarray(points / np.maximum(lengths, 1.0))


@register("tabular.within")
@attrs.frozen
class Within(Post):
    """A ball of rescaled rows, no larger and no farther out than what was promised of the rows.

    The centre is moved into the box that holds the rows, which brings it nearer to each of them, and the radius ends at
    the box's farthest corner: the ball holds the rows that it held. Where noise hides the rows, a search ends anywhere.

    Parameters
    ----------
    bound : float
        ℓ₂ radius around 0, in the units of the table.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM), Slot("units", PARAM))
    bound: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        ball = wants(inputs[0], Ball, self.name)
        same(wants(inputs[1], Vector, self.name).d, ball.d, self.name)
        return ball

    def apply(self, *values: Any) -> Any:
        """Move it in, and cut it down."""
        ball, factors = values[0], powers(values[1])
        with np.errstate(over="ignore"):
            box = self.bound * factors
        centre = np.clip(ball.centre, -box, box)
        corner = float(np.minimum(box + np.abs(centre), 2.0**500).max())
        reach = corner * float(np.linalg.norm(np.minimum(box + np.abs(centre), 2.0**500) / corner))
        return BallValue(centre, min(ball.radius, max(reach, 2.0**-380)))

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """The same: of the reference instance it is found where it is."""
        return noise.balls[0]


def find_radius(
    rows: Handle, ball: Handle, *, share: float, left: float, power: int, tails: bool = False, name: str = "reach"
) -> tuple[Handle, Handle]:
    """The ball around the same centre, as wide as is best for a sum of these rows with the share ``left``.

    Second the released numbers of rows by their distance from the centre.
    """
    wide = dp.post("tabular.wide", ball, name=f"{name}.wide")
    far = dp.distance_histogram(rows, wide, edges=EDGES, ratio=RATIO)
    distances = dp.release(name, dp.gaussian(share=share), far)
    weight = math.sqrt(2.0 * rows.d * share / left)
    how: dict[str, Any] = {"weight": weight, "power": power, "tails": tails}
    return dp.post("tabular.reach", wide, distances, name=f"{name}.ball", **how), distances


def beyond(distances: NDArray[np.float64], std: float) -> float:
    """Rows beyond the last distance, where noise explains them in less than one histogram in a million; else 0.

    Examples
    --------
    >>> beyond(np.array([90.0, 5.0, 65.0]), 10.0), beyond(np.array([90.0, 65.0, 45.0]), 10.0)
    (65.0, 0.0)
    """
    last = float(distances[-1])
    return last if last > SURE * std else 0.0


@register("tabular.wide")
@attrs.frozen
class Wide(Post):
    """The ball around the same centre that is 256 times as wide."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        return wants(inputs[0], Ball, self.name)

    def apply(self, *values: Any) -> Any:
        """Widen it."""
        return BallValue(values[0].centre, min(values[0].radius * BEYOND, 2.0**500))

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """The ball that is expected to be released."""
        ball = noise.balls[0]
        return None if ball is None else ExpectedBall(ball.radius * BEYOND, ball.offset)


@register("tabular.reach")
@attrs.frozen
class Reach(Post):
    """The ball around the same centre whose clipping and noise together are predicted to err least.

    Parameters
    ----------
    weight : float
        Noise of a sum of rows of the unit ball over the noise of a count here.
    power : {1, 2}
        Of a row's distance in what is summed.
    tails : bool
        Whether the tail that no bin shows is looked for too (`tails.excess`), or the ball is only a bin wider for it.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM), Slot("distances", PARAM))
    weight: float = attrs.field(kw_only=True, validator=non_negative)
    power: int = attrs.field(kw_only=True, validator=attrs.validators.in_((1, 2)))
    tails: bool = attrs.field(default=False, kw_only=True, validator=attrs.validators.instance_of(bool))

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        wants(inputs[1], Counts, self.name)
        return wants(inputs[0], Ball, self.name)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Read the radius off the bins that stand out of the noise; where none does, keep the narrow ball."""
        ball, counts = values[0], np.asarray(values[1], dtype=np.float64)
        return BallValue(ball.centre, max(ball.radius * self._reach(counts, noise[1], len(ball.centre)), 2.0**-380))

    def _reach(self, counts: NDArray[np.float64], std: float, d: int) -> float:
        """Radius of the ball over the wide one's; what clips take off in d directions cancels in part."""
        edges = RATIO ** (np.arange(len(counts)) - (len(counts) - 2.0))
        if self.tails:
            off = excess(edges, counts, std, self.power)
            if off is None:
                return 1.0 / BEYOND
            return float(edges[int(np.argmin(std * self.weight * edges**self.power + off / math.sqrt(d)))])
        chosen = best_radius(edges, without_strays(counts, std), std * self.weight, self.power)
        return 1.0 / BEYOND if chosen is None else chosen * RATIO**self.power  # for tails that no bin shows

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """From the counts that Gaussian rows give."""
        ball, std = noise.balls[0], noise.stds[1]
        if ball is None or not rows:
            return None
        edges = RATIO ** (np.arange(EDGES + 1) - (EDGES - 1.0))
        inside = within(wants(result, Ball, self.name).d, ball.offset, edges * ball.radius)
        counts = rows * np.diff(inside, prepend=0.0)
        return ExpectedBall(ball.radius * self._reach(counts, std, wants(result, Ball, self.name).d), ball.offset)


def best_radius(edges: NDArray[np.float64], counts: NDArray[np.float64], noise: float, power: int) -> float | None:
    """The edge r with the least ``noise r^p + Σ (e^p − r^p)`` over rows in bins whose upper edge e lies beyond r.

    Examples
    --------
    >>> best_radius(np.array([1.0, 2.0, 4.0]), np.array([0.0, 90.0, 2.0]), 3.0, 1)
    2.0
    """
    if not counts.any():
        return None
    sizes = edges**power
    cost = [noise * size + float(np.sum(counts * np.maximum(sizes - size, 0.0))) for size in sizes]
    return float(edges[int(np.argmin(cost))])
