"""The located ball and the columns' units: a search in rounds, each about a nearer centre and by a smaller radius.

Where rows are many a pass is dear, and the search brief: its first centre is sought by column, which need not wait
for the units that make columns comparable.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    LOWEST_EXPONENT,
    Above,
    Array,
    Ball,
    BallValue,
    Domain,
    ExpectedBall,
    Handle,
    Post,
    Slot,
    Vector,
    composite,
    register,
    same,
    wants,
)
from dpframe.plugin import powers_of_two as powers
from dpframe_plugins.classic.checks import positive_number, table_within
from dpframe_plugins.classic.sizing import enough_pairs
from dpframe_plugins.shared.truncation import chi_quantile

from .inputs import pairs, require_table, rescaled
from .locate import COVERAGE, WIDEST, column_sizes, first_ball
from .nodes import answering, slots
from .recipe import BRIEF, COARSE_RATIO, FINE_RATIO, FINER_RATIO, SHARES, Shares
from .sampling import sample
from .scheduling import seeks_briefly
from .units import ALIKE

PROMISING = 2.0**64
"""A larger bound says as little as none: the first radius is sought down to 1/WIDEST, else to 2^-48 of the bound."""


@register("practical.sizes")
@attrs.frozen
class Sizes(Post):
    """A power of two of each column's size, from noisy dyadic counts of its values."""

    slots: ClassVar[tuple[Slot, ...]] = slots("counts")

    def output(self, *inputs: Domain) -> Domain:
        """One exponent a column."""
        return Vector(wants(inputs[0], Array, self.name).shape[0])

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Read the sizes off the histograms."""
        return column_sizes(np.asarray(values[0]), noise[0], LOWEST_EXPONENT)


@register("practical.first_ball")
@attrs.frozen
class FirstBall(Post):
    """The first search ball, from the noisy mean of rows divided by their columns' sizes; inside the ball promised."""

    slots: ClassVar[tuple[Slot, ...]] = slots("bounding", "sizes", "sum", "count", "units")

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        ball = wants(inputs[0], Ball, self.name)
        same(ball.d, wants(inputs[2], Vector, self.name).d, self.name)
        return ball

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Move, and undo the sizes."""
        bounding, sizes, total, count, units = values
        found = first_ball(np.asarray(sizes), np.asarray(total), float(count[0]), noise[3], powers(units))
        return BallValue(found.center, min(max(found.radius, np.finfo(float).tiny), 2.0 * bounding.radius, 2.0**1000))

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """As wide as rows lie from 0, about their noisy mean."""
        ball, d = noise.balls[0], wants(result, Ball, self.name).d
        if ball is None or not rows:
            return None
        reach = 2.0 * math.hypot(ball.offset, chi_quantile(d, COVERAGE))
        return ExpectedBall(4.0 * reach, math.sqrt(d) * noise.stds[2] * reach / rows)


def _locate(
    x: Handle, shares: Shares, bound: float | None, scale: float, units: Handle | None = None
) -> tuple[Handle, Handle, Handle]:
    """The located ball, the noisy count of rows, and a ball with the same centre that was known a pass earlier."""
    count = dp.release("count", dp.gaussian(share=shares.count * scale), dp.count(x))
    if units is None:
        ball = dp.bounding_ball(d=x.d, bound=bound or WIDEST)
    else:
        ball = dp.post("practical.bounding", units, bound=bound or WIDEST, name="bounding")
    rounds, first = len(shares.distances), 0
    if units is not None and seeks_briefly(x, scale):
        ball, shares, rounds, first = _begun(x, ball, count, scale, units), BRIEF, len(BRIEF.distances), 1
    rows, near = x, ball
    x = rescaled(rows, units)
    some = sample(rows, units) if first else x
    for t in range(first, rounds):
        last = t == rounds - 1
        ratio = (FINER_RATIO if first else FINE_RATIO) if last else COARSE_RATIO
        edges = 96 if t or (bound and bound <= PROMISING) else 1000 + math.ceil(2.0 * math.log2(bound or WIDEST))
        far = dp.distance_histogram(some, ball, edges=edges, ratio=ratio)
        distances = dp.release(f"distances_{t}", dp.gaussian(share=shares.distances[t] * scale), far)
        ball = dp.post("practical.clip_ball", ball, distances, ratio=ratio, name=f"ball_{t}")
        if not last:
            total = dp.sum(dp.clip(x, ball))
            moved = dp.release(f"center_{t}", dp.gaussian(share=shares.centers[t] * scale), total, frame=True)
            if first and t == rounds - 2:
                near = dp.post("practical.move_ball", ball, moved, count, widens=False, name="near")
            ball = dp.post("practical.move_ball", ball, moved, count, name=f"search_{t}")
    return ball, count, near if first else ball


def _begun(x: Handle, ball: Handle, count: Handle, scale: float, units: Handle) -> Handle:
    """The first search ball, from sizes of the columns that need not wait for the units."""
    sizes = dp.release("distances_0", dp.gaussian(share=BRIEF.distances[0] * scale), dp.dyadic_counts(x))
    sizes = dp.post("practical.sizes", sizes, name="sizes")
    inside = dp.clip(dp.rescale(x, sizes), dp.ball(centre=[0.0] * x.d, radius=math.sqrt(x.d), name="of_sizes"))
    moved = dp.release("center_0", dp.gaussian(share=BRIEF.centers[0] * scale), dp.sum(inside), frame=True)
    return dp.post("practical.first_ball", ball, sizes, moved, count, units, name="search_0")


@composite("locate")
def locate(x: Handle, *, share: float, bound: float | None = None) -> Handle:
    """A private ball that holds about 98 % of the rows, from a generous bound or from none at all.

    Each round releases a histogram of distances to the current centre, takes the radius that holds 98 %,
    and moves the centre to the noisy mean of the rows clipped there.

    Parameters
    ----------
    x : Handle
        Private rows.
    share : float
        Share of ρ.
    bound : float, optional
        ℓ₂ radius around 0 that rows are promised to lie in; without one the search begins wider.

    Returns
    -------
    Handle
        A released ball in the units of the rows, which `dp.clip` takes: `.centre` (d,), `.radius`.
    """
    require_table(x)
    return _locate(table_within(x, bound), SHARES, bound, share / SHARES.locating)[0]


@composite("practical.units")
def practical_units(x: Handle, *, share: float, seed: int = 0, alike: int = ALIKE) -> Handle:
    """A power of two for each column that makes columns of very different units comparable, from its pair distances.

    All are 0 where the columns' spreads are within a factor of 2^alike of each other. The other steps take the
    result as their last input, and give balls in the units that it makes.

    Returns
    -------
    Handle
        A released vector of d whole numbers.
    """
    require_table(x)
    if x.d == 1:
        return dp.constant([0.0])
    near = dp.dyadic_counts(pairs(x, seed, enough_pairs(x, share, x.d)))
    spreads = dp.release("spreads", dp.gaussian(share=share), near)
    return dp.post("practical.exponents", spreads, alike=alike, name="units")


@composite("practical.locate")
def practical_locate(x: Handle, units: Handle | None = None, *, bound: float, share: float) -> dict[str, Handle]:
    """As ``locate``; gives the ``ball``, the noisy ``count`` of rows, and a ball ``near`` it that is known no later.

    Where rows are many, passes are few: the first centre is sought by column, and ``near`` is known a pass earlier.

    Returns
    -------
    dict of Handle
        Released: two balls in the units of ``units``, or of the rows without them, and a noisy number of rows (1,).
    """
    require_table(x)
    positive_number("bound", bound, below=math.inf)
    ball, count, near = _locate(x, SHARES, bound, share / SHARES.locating, units)
    return {"ball": ball, "count": count, "near": near}
