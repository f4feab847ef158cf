"""Histograms, and scores of released hypotheses."""

from __future__ import annotations

import math
from typing import Any

from dpframe.errors import PlanError
from dpframe.spaces import Array, Counts, Domain, Record, Scores, SparseCounts
from dpframe.theorems.base import Params, whole
from dpframe.theorems.shaping.base import Domains, is_kind, rows_of

DYADIC = 2099
MOST_CELLS = 2**20
MOST_INTERVAL_CELLS = 4096


def cells(params: Params, inputs: Domains) -> Domain:
    """Occupied cells of nested grids."""
    is_kind(inputs[1], Record)
    return SparseCounts(rows_of(inputs[0], "any").d, whole(params, "levels"))


def in_column(params: Params, inputs: Domains, listed: str, more: int) -> Domain:
    """Counts by a public list in one column."""
    d, column, known = rows_of(inputs[0], "any").d, whole(params, "column", low=0), params.get(listed)
    if not column < d or not isinstance(known, (list, tuple)) or not known:
        raise PlanError(f"takes column {column} of {d} and a list of {listed}")
    return Counts(len(known) + more)


def a_column_each(params: Params, inputs: Domains) -> dict[str, Any]:
    """One histogram a column."""
    return {**params, "histograms": rows_of(inputs[0], "any").d}


def dyadic(params: Params, inputs: Domains) -> Domain:
    """A count for every exponent, in each column."""
    return Array((rows_of(inputs[0], "any").d, DYADIC))


def _edges(inputs: Domains) -> tuple[int, int]:
    shape = is_kind(inputs[1], Array).shape
    if len(shape) != 2 or shape[0] != rows_of(inputs[0], "any").d:
        raise PlanError(f"takes edges of shape (columns, edges), not {shape}, for {inputs[0]}")
    return int(shape[0]), int(shape[1])


def marginal(params: Params, inputs: Domains) -> Domain:
    """Counts between released edges, in each column."""
    d, m = _edges(inputs)
    return Array((d, m + 1))


def product(params: Params, inputs: Domains) -> Domain:
    """Counts of product cells."""
    d, m = _edges(inputs)
    if d * math.log2(m + 1) > math.log2(MOST_CELLS):
        raise PlanError(f"{m + 1} cells in each of {d} columns are too many")
    return Counts((m + 1) ** d)


def column_cells(params: Params, inputs: Domains) -> Domain:
    """Occupied bins of grids of single columns."""
    rows_of(inputs[0], "any")
    levels = whole(params, "levels")
    if is_kind(inputs[1], Array).shape != (levels, 3):
        raise PlanError(f"takes grids of shape {(levels, 3)}, not {inputs[1]}")
    return SparseCounts(1, levels)


def interval_scores(params: Params, inputs: Domains) -> Domain:
    """A score for each released hypothesis over one column with released edges."""
    rows, shape = rows_of(inputs[0], "any"), is_kind(inputs[1], Array).shape
    is_kind(inputs[2], Record)
    if rows.d != 1 or len(shape) != 2 or shape[0] != 1 or shape[1] >= MOST_INTERVAL_CELLS:
        raise PlanError(f"takes one column and its edges, not {rows} and edges of shape {shape}")
    return Scores(whole(params, "size"))


def scheffe_scores(params: Params, inputs: Domains) -> Domain:
    """A score for each released hypothesis, from its contests."""
    rows_of(inputs[0], "any")
    is_kind(inputs[1], Record)
    size = whole(params, "size")
    if is_kind(inputs[2], Array).shape != (size, size):
        raise PlanError(f"takes masses of shape {(size, size)}, not {inputs[2]}")
    return Scores(size)


def box_cells(params: Params, inputs: Domains) -> Domain:
    """Occupied product bins of grids with a size for each column."""
    d, levels = rows_of(inputs[0], "any").d, whole(params, "levels")
    if is_kind(inputs[1], Array).shape != (levels, 2 * d):
        raise PlanError(f"takes grids of shape {(levels, 2 * d)}, not {inputs[1]}")
    return SparseCounts(d, levels)
