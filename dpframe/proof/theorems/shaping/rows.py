"""Rows from rows, parts of them, and sums of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.spaces import AffineMap, Ball, Counts, Domain, ListOf, Rows, Subspace, Vector, WeightedRows
from dpframe.proof.theorems.base import Params, whole
from dpframe.proof.theorems.declaring import Domains, Shape
from dpframe.proof.theorems.shaping.base import alike, beside, clipped_rows, is_kind, room, shaped, table_rows


def clip(bound: str) -> Shape:
    """Rows that a clip by a released ball has put into a bound."""
    return lambda params, inputs: Rows(_with_ball(inputs), bound)


def _with_ball(inputs: Domains) -> int:
    rows, ball = table_rows(inputs[0]), is_kind(inputs[1], Ball)
    alike(_seen(inputs), ball.d)
    return int(rows.d)


def _seen(inputs: Domains) -> int:
    """Columns of rows as a rule sees them: through the released map that comes third, where there is one."""
    rows = table_rows(inputs[0])
    if len(inputs) < 3:
        return int(rows.d)
    map_ = is_kind(inputs[2], AffineMap)
    alike(rows.d, map_.d)
    return int(map_.p)


def affine(params: Params, inputs: Domains) -> Domain:
    """Rows through a released map."""
    return Rows(beside(inputs, AffineMap).p)


def rescale(params: Params, inputs: Domains) -> Domain:
    """Rows with released exponents."""
    return Rows(beside(inputs, Vector).d)


def select(params: Params, inputs: Domains) -> Domain:
    """Rows of some columns, each taken once."""
    d, chosen = table_rows(inputs[0]).d, params.get("columns")
    listed = chosen if isinstance(chosen, (list, tuple)) else ()
    whole_ones = all(isinstance(c, int) and not isinstance(c, bool) and 0 <= c < d for c in listed)
    if not listed or not whole_ones or len(set(listed)) < len(listed):
        raise PlanError(
            f"takes columns of rows with {d} columns, each once, not {chosen!r}", fix="count columns from 0"
        )
    return Rows(len(listed))


def project(params: Params, inputs: Domains) -> Domain:
    """Rows in a released subspace."""
    space = beside(inputs, Subspace)
    alike(space.d, is_kind(inputs[2], Ball).d)
    return Rows(space.p)


def row_map(params: Params, inputs: Domains) -> Domain:
    """Rows through a registered function."""
    table_rows(inputs[0])
    return Rows(whole(params, "p"))


def featured(domain: Domain) -> Rows:
    """Rows without their last column, the place of each row's category."""
    rows = table_rows(domain)
    if rows.d < 2:
        raise PlanError("takes rows with a category as their last column, and others before it", fix="give d >= 2")
    return Rows(rows.d - 1)


def table(params: Params, inputs: Domains) -> Domain:
    """Rows as they are."""
    return Rows(table_rows(inputs[0]).d)


def in_ball(params: Params, inputs: Domains) -> Domain:
    """Rows on either side of a released sphere."""
    return Rows(_with_ball(inputs))


def balls_of(inputs: Domains, most: int, key: str) -> int:
    """Columns of rows and of at most so many released balls."""
    rows, listed = table_rows(inputs[0]), is_kind(inputs[1], ListOf)
    alike(_seen(inputs), is_kind(listed.item, Ball).d)
    room(listed, most, "balls", key)
    return int(rows.d)


def in_balls(params: Params, inputs: Domains) -> Domain:
    """Rows by released balls."""
    return Rows(balls_of(inputs, whole(params, "balls"), "balls"))


def nearest(params: Params, inputs: Domains) -> Domain:
    """Rows by released centres."""
    rows = table_rows(inputs[0])
    shaped(inputs[1], (whole(params, "centres"), rows.d), "points")
    return Rows(rows.d)


def halfspace(params: Params, inputs: Domains) -> Domain:
    """Rows on either side of a released plane."""
    map_ = beside(inputs, AffineMap)
    alike(map_.p, 1)
    return Rows(map_.d)


def counted(params: Params, inputs: Domains) -> Domain:
    """Shape of a count: one number, whatever bounds the rows."""
    is_kind(inputs[0], Rows, WeightedRows)
    return Counts(1)


def of_ball(make: Callable[[int], Domain]) -> Shape:
    """A shape that depends on d alone, for rows that were clipped to the unit ball."""
    return lambda params, inputs: make(clipped_rows(inputs[0], "unit_ball").d)


def box_sum(params: Params, inputs: Domains) -> Domain:
    """A sum of rows of the unit cube."""
    return Vector(clipped_rows(inputs[0], "unit_box").d)


def columns_of_box(params: Params, inputs: Domains) -> dict[str, Any]:
    """The declared parameters and the number of columns."""
    return {**params, "d": clipped_rows(inputs[0], "unit_box").d}
