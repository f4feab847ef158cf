"""Classes told by the last column: moments of each, and the multinomial logistic model, all by released sums."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    AffineMap,
    AffineValue,
    Ball,
    BallValue,
    Domain,
    Handle,
    ListOf,
    PlanError,
    Post,
    Slot,
    SpecError,
    composite,
    positive_whole,
    register,
    wants,
)

from .frame import Frame, find_frame
from .moments import moments_of

MOST_CLASSES = 100


def by_class(frame: Frame, classes: int) -> list[Handle]:
    """Rows of the frame by their code 0, 1, … in the last column of the table; rows of no such code are left out.

    The frame's rows are rescaled by powers of two, and so are the codes: they are told apart in these units.
    """
    balls = dp.post("tabular.codes", frame.units, classes=classes, name="codes")
    via = dp.post("tabular.last_column", frame.ball, name="last_column")
    return dp.partition_balls(frame.rows, balls, via, balls=classes)[:classes]


def check_classes(x: Handle, classes: Any) -> None:
    """Refuse a number of classes that makes no sense, and a table that has the codes alone."""
    if isinstance(classes, bool) or not isinstance(classes, int) or not 1 <= classes <= MOST_CLASSES:
        raise SpecError(
            f"classes must be a whole number from 1 to {MOST_CLASSES}, not {classes!r}", fix="give classes=2"
        )
    if x.d < 2:
        raise PlanError("the table needs a column besides the codes", fix="give features, and last the codes 0, 1, ...")


@composite("tabular.classes")
def class_moments(
    x: Handle, *, classes: int, bound: float, tight: bool = False, seed: int = 0, share: float = 1.0
) -> dict[str, Handle]:
    """Number, mean and covariance of the rows of each class, whose code 0, 1, … is the last column.

    Parameters
    ----------
    x : Handle
        The private table: features, and last the codes. Rows of another code are in no class.
    classes : int
        How many there are, declared.
    bound : float
        ℓ₂ radius around 0 that rows are promised to lie in, codes included; generous is fine.
    tight : bool
        The bound is about as small as it can be: no budget is spent on finding where rows lie.
    seed : int
        Public seed of the pairs of rows that tell the columns' units.
    share : float
        Share of ρ.

    Returns
    -------
    dict of Handle
        ``count_j`` (1,), ``mean_j`` (d,), ``covariance_j`` (d, d) and their noise for each class j, in which the codes'
        column counts for nothing. A class with too few rows has the whole frame's centre and width.

    Formal guarantees
    -----------------
    The classes are parts of the table: what is released of them composes in parallel (``rule_partition``), one noisy
    matrix each, as in ``tabular.moments``.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("c", dp.recipe("tabular.classes", classes=2, bound=1e6), x)["mean_0"]
    >>> dp.plan(example, x=dp.rows(d=3), adjacency=dp.ADD_REMOVE, budget=dp.zcdp(0.5)).verdict.holds
    True
    """
    check_classes(x, classes)
    frame = find_frame(x, bound=bound, share=share, tight=tight, power=2, seed=seed)
    found: dict[str, Handle] = {}
    for j, part in enumerate(by_class(frame, classes)):
        seen = moments_of(part, frame, share=frame.share, drop=1, lenient=True, name=f"class_{j}")
        found |= {f"{what}_{j}": value for what, value in seen.items()}
    return found


@register("tabular.codes")
@attrs.frozen
class Codes(Post):
    """An interval around each code 0, 1, … in the units of a frame.

    Parameters
    ----------
    classes : int
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("units", PARAM),)
    classes: int = attrs.field(kw_only=True, validator=positive_whole)

    def output(self, *inputs: Domain) -> Domain:
        """A list of balls of one dimension."""
        return ListOf(Ball(1), self.classes)

    def apply(self, *values: Any) -> Any:
        """A quarter to either side."""
        factor = float(dp.powers_of_two(values[0])[-1])
        return [BallValue(np.array([j * factor]), 0.25 * factor) for j in range(self.classes)]


@register("tabular.last_column")
@attrs.frozen
class LastColumn(Post):
    """The map to the codes' column, for rows within eight radii of a ball; farther rows keep no code."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("ball", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A map to one dimension."""
        return AffineMap(wants(inputs[0], Ball, self.name).d, 1)

    def apply(self, *values: Any) -> Any:
        """Pick it."""
        ball = values[0]
        matrix = np.zeros((len(ball.centre), 1))
        matrix[-1, 0] = 1.0
        reach = float(np.abs(ball.centre).max()) + 8.0 * ball.radius
        return AffineValue(np.zeros(len(ball.centre)), matrix, min(reach, 2.0**500))
