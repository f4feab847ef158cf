"""Histograms in released bins: a column each, their product, occupied bins of released grids."""

from __future__ import annotations

import math
from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.spaces import Array, Counts, Domain, SparseCounts
from dpframe.proof.theorems.base import Params, whole
from dpframe.proof.theorems.declaring import ROWS, Domains, free
from dpframe.proof.theorems.rows import BY_LEVEL, ONE, histogram
from dpframe.proof.theorems.shaping.base import alike, is_kind, shaped, table_rows

DYADIC = 2099
"""Bins of one column's dyadic histogram: all that the magnitude of a float64 can fall in."""
MOST_CELLS = 2**20


def a_column_each(params: Params, inputs: Domains) -> dict[str, Any]:
    """One histogram a column."""
    return {**params, "histograms": table_rows(inputs[0]).d}


def dyadic(params: Params, inputs: Domains) -> Domain:
    """A count for every exponent, in each column."""
    return Array((table_rows(inputs[0]).d, DYADIC))


def _edges(inputs: Domains) -> tuple[int, int]:
    shape = is_kind(inputs[1], Array).shape
    if len(shape) != 2:
        raise PlanError(f"takes edges of shape (columns, edges), not {shape}", fix="give one row a column")
    alike(shape[0], table_rows(inputs[0]).d)
    return int(shape[0]), int(shape[1])


def marginal(params: Params, inputs: Domains) -> Domain:
    """Counts between released edges, in each column."""
    d, m = _edges(inputs)
    return Array((d, m + 1))


def product(params: Params, inputs: Domains) -> Domain:
    """Counts of product cells."""
    d, m = _edges(inputs)
    if d * math.log2(m + 1) > math.log2(MOST_CELLS):
        raise PlanError(
            f"takes at most {MOST_CELLS} cells, and {m + 1} in each of {d} columns are more", fix="use fewer edges"
        )
    return Counts((m + 1) ** d)


def column_cells(params: Params, inputs: Domains) -> Domain:
    """Occupied bins of grids of single columns."""
    table_rows(inputs[0])
    levels = whole(params, "levels")
    shaped(inputs[1], (levels, 3), "grids (column, offset, size)")
    return SparseCounts(1, levels)


def box_cells(params: Params, inputs: Domains) -> Domain:
    """Occupied product bins of grids with a size for each column."""
    d, levels = table_rows(inputs[0]).d, whole(params, "levels")
    shaped(inputs[1], (levels, 2 * d), "grids (offsets, sizes)")
    return SparseCounts(d, levels)


histogram("dyadic_counts", (ROWS,), dyadic, "", a_column_each)
histogram("marginal_counts", (ROWS, free("edges")), marginal, "", a_column_each)
histogram("product_counts", (ROWS, free("edges")), product, "", ONE)
histogram("column_cells", (ROWS, free("grids")), column_cells, "levels", BY_LEVEL)
histogram("box_cells", (ROWS, free("grids")), box_cells, "levels", BY_LEVEL)
