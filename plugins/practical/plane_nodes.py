"""The nodes of a first mixture by counts of planes."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Above,
    AffineMap,
    AffineValue,
    Ball,
    Counts,
    Domain,
    Post,
    Record,
    Slot,
    positive_whole,
    register,
    wants,
    whole,
)
from dpframe_plugins.shared.records import wants_record

from . import planes
from .deconvolution import Starts, lift
from .fitting import Full
from .nodes import answering, map_scale, over, slots
from .plane_search import likeliest

SHOWN, RESOLVED = 4.0, 30.0
"""Rows of a component over the noise of a count, from which on planes show it, and from which on cells are fine."""


@register("practical.plane_map")
@attrs.frozen
class PlaneMap(Post):
    """``x ↦ Fᵀ Bᵀ(x − p)/r``: rows in one of the planes of the subspace."""

    slots: ClassVar[tuple[Slot, ...]] = slots("ball", "subspace")
    rank: int = attrs.field(kw_only=True, validator=positive_whole)
    plane: int = attrs.field(kw_only=True, validator=whole)
    seed: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """An affine map."""
        wants_record(inputs[1], "practical.subspace", self.name)
        return AffineMap(wants(inputs[0], Ball, self.name).d, 2)

    @answering
    def apply(self, *values: Any) -> Any:
        """The map."""
        ball, space = values
        pair = planes.frames(self.rank, self.seed)[self.plane]
        return AffineValue(ball.centre, over(space.basis @ pair, ball.radius), map_scale(ball))


@register("practical.planar_mixture")
@attrs.frozen
class PlanarMixture(Post):
    """The likeliest mixture by the noisy counts of the cells of all planes, lifted to the whole frame."""

    slots: ClassVar[tuple[Slot, ...]] = (*slots("subspace", "count"), Slot("counts", PARAM, variadic=True))
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    seed: int = attrs.field(kw_only=True, validator=whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record, in frame units."""
        wants_record(inputs[0], "practical.subspace", self.name)
        wants(inputs[1], Counts, self.name)
        for counts in inputs[2:]:
            wants(counts, Counts, self.name)
        return Record("practical.starts")

    @answering
    def apply_noisy(self, values: tuple[Any, ...], noise: tuple[float, ...]) -> Any:
        """Fit."""
        space, rows, *counts = values
        pairs = planes.frames(space.basis.shape[1], self.seed)
        side = round(len(counts[0]) ** 0.5)
        cells = np.reshape(counts, (len(pairs), side, side))
        data = planes.Planes(pairs, cells, noise[2] ** 2, max(float(rows[0]), 1.0))
        found = likeliest(data, self.k, self.seed)
        one = Full(found.weights[None], found.means[None], found.covariances[None])
        return Starts((lift(one, space),), None, space)

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether each of k components of equal weight stands out of the noise of its cells."""
        return all(rows / self.k >= SHOWN * std for std in noise.stds[2:])
