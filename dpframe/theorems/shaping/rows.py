"""Rows from rows, and parts of them."""

from __future__ import annotations

from dpframe.errors import PlanError
from dpframe.spaces import AffineMap, Array, Ball, Domain, ListOf, Rows, Subspace, Vector, WeightedRows, Whitening
from dpframe.theorems.base import Params, whole
from dpframe.theorems.shaping.base import Domains, Shape, alike, is_kind, rows_of


def clip(region: str) -> Shape:
    """Clipped rows of a region, by a released ball."""

    def shape(params: Params, inputs: Domains) -> Domain:
        rows, ball = rows_of(inputs[0], "any"), is_kind(inputs[1], Ball)
        alike(rows.d, ball.d)
        return Rows(rows.d, region)

    return shape


def affine(params: Params, inputs: Domains) -> Domain:
    """Rows through a released map."""
    rows, map_ = rows_of(inputs[0], "any"), is_kind(inputs[1], AffineMap)
    alike(rows.d, map_.d)
    return Rows(map_.p)


def rescale(params: Params, inputs: Domains) -> Domain:
    """Rows with released exponents."""
    rows, exponents = rows_of(inputs[0], "any"), is_kind(inputs[1], Vector)
    alike(rows.d, exponents.d)
    return Rows(rows.d)


def project(params: Params, inputs: Domains) -> Domain:
    """Rows in a released subspace."""
    rows, space, ball = rows_of(inputs[0], "any"), is_kind(inputs[1], Subspace), is_kind(inputs[2], Ball)
    alike(rows.d, space.d)
    alike(rows.d, ball.d)
    return Rows(space.p)


def whiten(params: Params, inputs: Domains) -> Domain:
    """Rows seen by every component."""
    rows, maps = rows_of(inputs[0], "any"), is_kind(inputs[1], Whitening)
    alike(rows.d, maps.d)
    return WeightedRows(maps.k, rows.d + 1)


def row_map(params: Params, inputs: Domains) -> Domain:
    """Rows through a registered function."""
    rows_of(inputs[0], "any")
    return Rows(whole(params, "p"))


def table(params: Params, inputs: Domains) -> Domain:
    """Rows as they are."""
    return Rows(rows_of(inputs[0], "any").d)


def in_ball(params: Params, inputs: Domains) -> Domain:
    """Rows on either side of a released sphere."""
    alike(rows_of(inputs[0], "any").d, is_kind(inputs[1], Ball).d)
    return Rows(inputs[0].d)  # type: ignore[attr-defined]


def balls_of(params: Params, inputs: Domains, most: int) -> int:
    """Columns of rows and of at most so many released balls."""
    rows, listed = rows_of(inputs[0], "any"), is_kind(inputs[1], ListOf)
    alike(rows.d, is_kind(listed.item, Ball).d)
    if listed.max_length > most:
        raise PlanError(f"up to {listed.max_length} balls, room for {most}")
    return int(rows.d)


def in_balls(params: Params, inputs: Domains) -> Domain:
    """Rows by released balls."""
    return Rows(balls_of(params, inputs, whole(params, "balls")))


def nearest(params: Params, inputs: Domains) -> Domain:
    """Rows by released centres."""
    rows, points = rows_of(inputs[0], "any"), is_kind(inputs[1], Array)
    if points.shape != (whole(params, "centres"), rows.d):
        raise PlanError(f"points have shape {points.shape}")
    return Rows(rows.d)


def halfspace(params: Params, inputs: Domains) -> Domain:
    """Rows on either side of a released plane."""
    rows, map_ = rows_of(inputs[0], "any"), is_kind(inputs[1], AffineMap)
    alike(rows.d, map_.d)
    alike(map_.p, 1)
    return Rows(rows.d)
