"""Histograms, and scores of released hypotheses."""

from __future__ import annotations

from dpframe.errors import PlanError
from dpframe.proof.spaces import Ball, Counts, Domain, Record, SparseCounts
from dpframe.proof.theorems.base import Params, whole
from dpframe.proof.theorems.declaring import Domains, Shape
from dpframe.proof.theorems.shaping.base import beside, is_kind, table_rows


def cells(params: Params, inputs: Domains) -> Domain:
    """Occupied cells of nested grids."""
    rows = table_rows(inputs[0])
    is_kind(inputs[1], Record)
    return SparseCounts(rows.d, whole(params, "levels"))


def distances(params: Params, inputs: Domains) -> Domain:
    """Counts of distances to a centre."""
    beside(inputs, Ball)
    return Counts(whole(params, "edges") + 1)


def in_column(listed: str, more: int) -> Shape:
    """Counts by a public list in one column."""

    def shape(params: Params, inputs: Domains) -> Domain:
        d, column, known = table_rows(inputs[0]).d, whole(params, "column", low=0), params.get(listed)
        if not column < d:
            raise PlanError(
                f"takes column {column} of rows with {d} columns", fix=f"count columns from 0, the last is {d - 1}"
            )
        if not isinstance(known, (list, tuple)) or not known:
            raise PlanError(f"takes a list of {listed}, not {known!r}", fix=f"give {listed}=[...]")
        return Counts(len(known) + more)

    return shape
