"""What the histogram of log densities is released with: a flat Gaussian to compare with, and edges."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    AffineValue,
    Array,
    Ball,
    Domain,
    Post,
    Slot,
    Whitening,
    WhiteningValue,
    register,
    wants,
    whole,
)

from .goodness import EDGES, edges
from .nodes import answering, map_scale, slots
from .recipe import SHARES

FLAT = 2.0**20
"""Deviations, in radii of the ball, of the Gaussian that log densities are compared with: it is flat."""


@register("practical.flat")
@attrs.frozen
class Flat(Post):
    """A Gaussian so wide that its density is the same for all rows: what log densities are compared with."""

    slots: ClassVar[tuple[Slot, ...]] = slots("ball")

    def output(self, *inputs: Domain) -> Domain:
        """A whitening."""
        return Whitening(1, wants(inputs[0], Ball, self.name).d)

    @answering
    def apply(self, *values: Any) -> Any:
        """A whitening with a single map."""
        (ball,) = values
        d = len(ball.centre)
        narrow = AffineValue(ball.centre, np.eye(d) / FLAT / ball.radius, map_scale(ball))
        return WhiteningValue((narrow,), np.zeros(1), 1.0, 1.0)


@register("practical.fit_edges")
@attrs.frozen
class FitEdges(Post):
    """Edges of bins for half the log density of a mixture over a flat one, and of its negative, that are all alike.

    Of two log densities their mean is taken out; the second column says nothing more and falls into one bin.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("mixture")
    seed: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """Edges of two columns."""
        return Array((2, EDGES))

    @answering
    def apply(self, *values: Any) -> Any:
        """Simulate."""
        return np.array([0.5 * edges(values[0], self.seed), np.full(EDGES, -1e200)])


def histogram(
    x: dp.Handle, mixture: dp.Handle, maps: dp.Handle, ball: dp.Handle, *, seed: int, share: float
) -> dp.Handle:
    """A histogram of log densities of the mixture that the next pass is taken with: in its reading, or before it."""
    flat = dp.post(Flat.name, ball, name="flat")
    edges = dp.post(FitEdges.name, mixture, seed=seed, name="fit_edges")
    counts = dp.product_counts(dp.log_densities(x, maps, flat), edges)
    return dp.release("fit", dp.gaussian(share=SHARES.fit / SHARES.refining * share), counts)
