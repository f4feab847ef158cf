"""Posts from listed scales to bins: grids of one column, of all, of known scales, and boxes."""

from __future__ import annotations

import itertools
import math
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    Array,
    Domain,
    Failed,
    ListOf,
    PlanError,
    Post,
    Slot,
    Vector,
    positive_whole,
    register,
    same,
    wants,
)

from .lists import combinations
from .nodes import known_sds, slots

SCALES = ListOf(Vector(2), 3)
"""A list of (column, standard deviation), for the contract battery."""


def scale_list(domain: Domain, what: str) -> int:
    """Static bound of a list of (column, standard deviation)."""
    listed = wants(domain, ListOf, what)
    same(wants(listed.item, Vector, what).d, 2, what)
    return int(listed.max_length)


def nothing_heavy() -> Failed:
    """⊥ for an empty list."""
    return Failed(
        "no bin is heavy enough, or too many are: the list is empty",
        "use more rows or a larger epsilon; alpha and k set how heavy a bin must be",
    )


@register("aal21.bins_of")
@attrs.frozen
class BinsOf(Post):
    """Bins ((i − ½)σ̃, (i + ½)σ̃] of one column, for one listed scale (column, σ̃)."""

    slots: ClassVar[tuple[Slot, ...]] = slots("scale")

    def output(self, *inputs: Domain) -> Domain:
        """Domain of one grid."""
        same(wants(inputs[0], Vector, self.name).d, 2, self.name)
        return Array((1, 3))

    def apply(self, *values: Any) -> Any:
        """Centre bin 0 at 0."""
        column, scale = (float(v) for v in values[0])
        return np.array([[column, -0.5 * scale, scale]])


@register("aal21.bins_of_all")
@attrs.frozen
class BinsOfAll(Post):
    """Bins of every listed scale, one grid each: the m histograms of T1.

    Parameters
    ----------
    most : int
        Static bound on the list.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("scales")
    most: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(BinsOfAll(most=3), (SCALES,))]

    def output(self, *inputs: Domain) -> Domain:
        """Domain of one grid for each scale that the list may hold."""
        same(scale_list(inputs[0], self.name), self.most, self.name)
        return Array((self.most, 3))

    def apply(self, *values: Any) -> Any:
        """A size of 0 ends the list."""
        out = np.zeros((self.most, 3))
        for row, (column, scale) in zip(out, values[0], strict=False):
            row[:] = column, -0.5 * scale, scale
        return out


@register("aal21.known_bins")
@attrs.frozen
class KnownBins(Post):
    """Bins as wide as the known standard deviation of each column."""

    sds: tuple[float, ...] = attrs.field(converter=known_sds, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A grid a column."""
        if not self.sds or not all(2.0**-400 < s < 2.0**400 for s in self.sds):
            raise PlanError("standard deviations must be between 1e-120 and 1e120", fix="change the units of the table")
        return Array((len(self.sds), 3))

    def apply(self, *values: Any) -> Any:
        """Centre bin 0 at 0."""
        return np.array([[float(j), -0.5 * s, s] for j, s in enumerate(self.sds)])


@register("aal21.boxes_of")
@attrs.frozen
class BoxesOf(Post):
    """Product bins with one listed scale in each column: grids (offsets, sizes) of up to ``levels`` combinations.

    All combinations where there are at most that many; otherwise the i-th scales of all columns together, and a remark
    that says so: the list may then miss components.

    Parameters
    ----------
    d, levels : int
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("scales")
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    levels: int = attrs.field(kw_only=True, validator=positive_whole)

    @staticmethod
    def examples() -> list[Any]:
        """For the contract battery."""
        return [(BoxesOf(d=d, levels=4), (SCALES,)) for d in (1, 2)]

    def output(self, *inputs: Domain) -> Domain:
        """Rows of d offsets and d sizes."""
        scale_list(inputs[0], self.name)
        return Array((self.levels, 2 * self.d))

    def apply(self, *values: Any) -> Any:
        """Combine."""
        columns = [[float(s[1]) for s in values[0] if int(s[0]) == j] for j in range(self.d)]
        if not all(columns):
            return nothing_heavy()
        chosen = list(itertools.islice(combinations(columns, self.levels), self.levels))
        out = np.zeros((self.levels, 2 * self.d))
        for level, sizes in enumerate(chosen):
            out[level] = [*(-0.5 * s for s in sizes), *sizes]
        return out

    def remarks(self, value: Any) -> list[str]:
        """Where not every combination of the scales is a box."""
        sizes = np.asarray(value)[:, self.d :]
        used = sizes[(sizes > 0).all(axis=1)]
        many = math.prod(len(np.unique(column)) for column in used.T)
        if many <= len(used) and (self.d > 1 or len(used) < self.levels):
            return []
        return [f"the scales have more combinations than boxes = {self.levels}: components may be missed; raise boxes"]
