"""Posts of PGME: gaps in released cells, the balls that are tested, the children, and the mixture of the leaves."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.plugin import (
    PARAM,
    Above,
    AffineMap,
    Ball,
    BallValue,
    Counts,
    Domain,
    Expected,
    Failed,
    Flag,
    Gaussian,
    Index,
    ListOf,
    Mixture,
    Outcome,
    PlanError,
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
from dpframe_plugins.practical.nodes import answering, cells_seen, slots
from dpframe_plugins.shared.records import wants_record

from .centres import below_theorem
from .gaps import gaps
from .nodes import LEAST, PLAIN, SEEN, below_columns, mixture, parts_seen, predicted, released_points

GAPS, LEAF = "kssu19.gaps", "kssu19.leaf"


@register("kssu19.gaps")
@attrs.frozen
class Gaps(Post):
    """Gaps that released cells show, the widest first; none where no cell was published.

    Parameters
    ----------
    w_min : float
        Least weight of a component, of the part's rows.
    c : float
        Least ratio of a gap.
    size : int
        Most gaps.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("cells", "grids")
    w_min: float = attrs.field(kw_only=True, validator=positive)
    c: float = attrs.field(kw_only=True, validator=positive)
    size: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants(inputs[0], SparseCounts, self.name)
        return Record(GAPS)

    @answering
    def apply(self, *values: Any) -> Any:
        """Search the cells."""
        points = released_points(*values)
        if points is None:
            return ()
        return tuple(gaps(points, LEAST * self.w_min * float(points.weights.sum()), self.c, self.size))


@register("kssu19.tested")
@attrs.frozen
class Tested(Post):
    """The balls of the gaps, whose annuli are tested.

    Parameters
    ----------
    d : int
        Columns of the projection.
    c : float
        Ratio of the annulus.
    size : int
        Most balls.
    columns, asked : int
        Columns of the table and those that condition (7) of the theorem asks for, to warn of fewer.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("gaps")
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    c: float = attrs.field(kw_only=True, validator=positive)
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    columns: int = attrs.field(default=0, kw_only=True, validator=whole)
    asked: int = attrs.field(default=0, kw_only=True, validator=whole)

    def warnings(self) -> list[str]:
        """Below the theorem's ratio, or its columns."""
        return [*below_theorem(self.c), *below_columns("d", self.columns, self.asked)]

    def output(self, *inputs: Domain) -> Domain:
        """A list of balls."""
        wants_record(inputs[0], GAPS, self.name)
        return ListOf(Ball(self.d), self.size)

    @answering
    def apply(self, *values: Any) -> Any:
        """Gap by gap."""
        return [gap.ball(self.c) for gap in values[0]]


@register("kssu19.passed")
@attrs.frozen
class Passed(Post):
    """Whether a gap passed the test."""

    slots: ClassVar[tuple[Slot, ...]] = slots("gaps", "index")

    def output(self, *inputs: Domain) -> Domain:
        """A flag."""
        wants(inputs[1], Index, self.name)
        return Flag()

    def apply(self, *values: Any) -> Any:
        """An index beyond the list is noise."""
        index = values[1]
        return Outcome(index is not None and index < len(values[0]), -1.0 if index is None else float(index))


@register("kssu19.split")
@attrs.frozen
class Split(Post):
    """The ball in the projection that parts the rows: the annulus goes to the outer child at r·√c."""

    slots: ClassVar[tuple[Slot, ...]] = slots("gaps", "index", "map")

    def output(self, *inputs: Domain) -> Domain:
        """A ball of the projection."""
        return Ball(wants(inputs[2], AffineMap, self.name).p)

    @answering
    def apply(self, *values: Any) -> Any:
        """Of the gap that passed; any ball where none did, for nothing is parted then."""
        found, index, through = values
        if index is None or index >= len(found):
            return BallValue(np.zeros(through.matrix.shape[1]), 1.0)
        return found[index].split


@register("kssu19.child")
@attrs.frozen
class Child(Post):
    """Where a child lies: about the lifted mean of its cells, in a ball twice as wide as its parent's.

    Parameters
    ----------
    inner : bool
        The child inside the gap, or the one outside.
    """

    slots: ClassVar[tuple[Slot, ...]] = slots("gaps", "index", "map", "ball")
    inner: bool = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        ball = wants(inputs[3], Ball, self.name)
        same(wants(inputs[2], AffineMap, self.name).d, ball.d, self.name)
        return ball

    @answering
    def apply(self, *values: Any) -> Any:
        """Lift."""
        found, index, through, ball = values
        if index is None or index >= len(found):
            return ball
        gap = found[index]
        centre = through.shift + through.matrix @ (gap.centre if self.inner else gap.others)
        return BallValue(centre, min(2.0 * ball.radius, 2.0**500))


@register("kssu19.leaf")
@attrs.frozen
class Leaf(Post):
    """A Gaussian and the noisy number of its rows."""

    slots: ClassVar[tuple[Slot, ...]] = slots("gaussian", "count")

    def output(self, *inputs: Domain) -> Domain:
        """A record."""
        wants(inputs[0], Gaussian, self.name)
        wants(inputs[1], Counts, self.name)
        return Record(LEAF)

    def apply(self, *values: Any) -> Any:
        """Together."""
        return values


@register("kssu19.leaves")
@attrs.frozen
class Leaves(Post):
    """The mixture of the leaves, weighted by their counts (ñ_j/Σñ); ⊥ where they are fewer than k.

    Parameters
    ----------
    k, d : int
    equal : bool
        Equal weights.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("leaves", PARAM),)
    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    equal: bool = attrs.field(default=False, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        """A mixture."""
        listed = wants(inputs[0], ListOf, self.name)
        if listed.item != Record(LEAF):
            raise PlanError(f"{self.name} takes leaves, not {listed.item}", fix="end the division with kssu19.leaf")
        return Mixture(self.k, self.d)

    def expects_answer(self, rows: int, noise: Above) -> bool:
        """Whether each of k components of equal weight shows in the cells and histograms of its parts."""
        return cells_seen(rows / self.k, noise, SEEN) and parts_seen(rows / self.k, noise, PLAIN)

    def predicted_error(self, result: Domain, rows: int, noise: Above) -> Expected | None:
        """Predicted error where all leaves are alike and PSGE learns each."""
        return predicted(wants(result, Mixture, self.name), rows, noise)

    def apply(self, *values: Any) -> Any:
        """Side by side."""
        found = values[0]
        if len(found) != self.k:
            return Failed(
                f"{len(found)} of {self.k} components were parted from one another",
                "use more rows, a larger epsilon, a smaller k, or a smaller w_min",
            )
        counts = np.array([max(float(count[0]), 0.0) for _, count in found])
        return mixture([gaussian for gaussian, _ in found], np.ones(self.k) if self.equal else counts)
