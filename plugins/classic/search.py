"""The radius of a ball that holds nearly all rows, from a noisy histogram of their distances to its centre."""

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
    positive,
    register,
    wants,
)
from dpframe_plugins.shared.truncation import chi_quantile

EDGES = 96
COVERAGE = 0.98
SMALLEST = 2.0**-380
SURE = 2.0
"""Deviations of the noise by which a bin must pass the threshold to be counted on."""
UNLUCKY = 3.0
"""Deviations of a centre's noise that a search must bear before it may give of its share."""
SHAKEN = 0.05
"""A radius is wider by this part for each time that noise hides as many rows as are left outside."""


def shrunk(x: Handle, ball: Handle, name: str, *, share: float, ratio: float, edges: int = EDGES) -> Handle:
    """The ball around the same centre that holds 98 % of the rows, as a released node ``name.ball``."""
    far = dp.distance_histogram(x, ball, edges=edges, ratio=ratio)
    seen = dp.release(name, dp.gaussian(share=share), far)
    return dp.post("classic.shrink_ball", ball, seen, ratio=ratio, name=f"{name}.ball")


def expected_ball(ball: ExpectedBall | None, d: int, rows: int, noise: Above, ratio: float) -> ExpectedBall | None:
    """The ball about the same centre that holds 98 % of Gaussian rows, as the histogram that comes second shows it.

    Where no bin of the expected counts stands out for sure, the ball is as it was.
    """
    if ball is None or not rows:
        return None
    std, most = noise.stds[1], wants(noise.domains[1], Counts, "a histogram of distances").m - 1
    edges = ball.radius * ratio ** np.arange(1.0 - most, 1.0)
    counts = rows * np.diff(np.append(within(d, ball.offset, edges), 1.0), prepend=0.0)
    if not counts.max() > threshold(std, most + 1) + SURE * std:
        return ball
    outer = bin_of_quantile(counts, std, COVERAGE)
    radius = float(edges[min(outer or 0, most - 1)])
    if noise.cautious:
        hidden = threshold(std, most + 1) / ((1.0 - COVERAGE) * rows)
        radius = max(radius, math.hypot(chi_quantile(d, COVERAGE), ball.offset)) * (1.0 + SHAKEN * hidden)
    return ExpectedBall(min(radius, ball.radius), ball.offset)


def within(d: int, offset: float, radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """Parts of N(0, I) within these distances of a point so far from 0."""
    from scipy.special import chndtr, ndtr

    if offset > 30.0:
        return np.asarray(ndtr(np.clip(radii, 0.0, 1e150) - math.hypot(min(offset, 1e150), math.sqrt(d - 1.0))))
    return np.asarray(chndtr(np.minimum(radii, 1e3) ** 2, d, offset**2))


def moved_ball(ball: ExpectedBall | None, d: int, rows: int, noise: Above) -> ExpectedBall | None:
    """Four times as wide, around the noisy mean of the rows in a ball."""
    if ball is None or not rows:
        return None
    std = noise.stds[1] * (UNLUCKY if noise.cautious else 1.0)
    kept = ball.offset if ball.radius < ball.offset else math.sqrt(d / rows)
    return ExpectedBall(4.0 * ball.radius, math.hypot(kept, math.sqrt(d) * std * ball.radius / rows))


def occupied(counts: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    """Noisy counts, 0 where noise alone explains them.

    An empty bin passes the threshold ``1/2 + noise sqrt(2 ln(100 bins))`` in less than one histogram in 100: the half
    is for noise that is rounded to whole rows.
    """
    return np.where(counts > threshold(noise, counts.size), counts, 0.0)


def threshold(noise: float, bins: int) -> float:
    """What an empty bin passes in less than one histogram in 100."""
    return 0.5 * (noise > 0.0) + noise * math.sqrt(2.0 * math.log(100.0 * bins))


def bin_of_quantile(counts: NDArray[np.float64], noise: float, quantile: float) -> int | None:
    """First bin below which at least ``quantile`` of the rows in occupied bins end, or None if none is occupied.

    Examples
    --------
    >>> bin_of_quantile(np.array([0.0, 90.0, 10.0, 0.2]), 0.1, 0.9)
    1
    """
    kept = occupied(counts, noise)
    total = float(kept.sum())
    return int(np.argmax(np.cumsum(kept) >= quantile * total)) if total > 0.0 else None


@register("classic.shrink_ball")
@attrs.frozen
class ShrinkBall(Post):
    """The ball around the same centre that holds nearly all rows, from a noisy histogram of distances.

    Parameters
    ----------
    ratio : float
        Of neighbouring edges; the largest edge is the ball's radius.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM), Slot("distances", PARAM))
    ratio: float = attrs.field(kw_only=True, validator=positive)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        wants(inputs[1], Counts, self.name)
        return wants(inputs[0], Ball, self.name)

    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Read the radius off the bins that stand out of the noise; where none does, keep the ball."""
        ball, counts = values[0], np.asarray(values[1])
        outer = bin_of_quantile(counts, noise[1], COVERAGE)
        if outer is None:
            return ball
        radius = ball.radius * self.ratio ** (outer - (len(counts) - 2))
        return BallValue(ball.centre, max(radius, SMALLEST))

    def predicted_ball(self, result: Domain, rows: int, noise: Above) -> ExpectedBall | None:
        """About 98 % of them."""
        d = wants(result, Ball, self.name).d
        return expected_ball(noise.balls[0], d, rows, noise, self.ratio)
