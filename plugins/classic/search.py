"""The radius of a ball that holds nearly all rows, from a noisy histogram of their distances to its centre."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs
import numpy as np
from numpy.typing import NDArray

import dpframe.plugin as dp
from dpframe.plugin import PARAM, Ball, BallValue, Counts, Domain, Handle, Post, Slot, positive, register, wants

EDGES = 96
COVERAGE = 0.98
SMALLEST = 2.0**-380


def shrunk(x: Handle, ball: Handle, name: str, *, share: float, ratio: float, edges: int = EDGES) -> Handle:
    """The ball around the same centre that holds 98 % of the rows, as a released node ``name.ball``."""
    far = dp.distance_histogram(x, ball, edges=edges, ratio=ratio)
    seen = dp.release(name, dp.gaussian(share=share), far)
    return dp.post("classic.shrink_ball", ball, seen, ratio=ratio, name=f"{name}.ball")


def occupied(counts: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    """Noisy counts, 0 where noise alone explains them.

    An empty bin passes the threshold ``1/2 + noise sqrt(2 ln(100 bins))`` in less than one histogram in 100: the half
    is for noise that is rounded to whole rows.
    """
    threshold = 0.5 * (noise > 0.0) + noise * math.sqrt(2.0 * math.log(100.0 * counts.size))
    return np.where(counts > threshold, counts, 0.0)


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
