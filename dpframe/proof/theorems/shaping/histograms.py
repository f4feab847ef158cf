"""Histograms, and scores of released hypotheses."""

from __future__ import annotations

import math
from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.spaces import (
    MOST_ROWS,
    Array,
    Ball,
    Counts,
    Domain,
    ListOf,
    Mixture,
    Record,
    Scores,
    SparseCounts,
    WeightedRows,
)
from dpframe.proof.theorems.base import Params, whole
from dpframe.proof.theorems.declaring import Domains, Shape
from dpframe.proof.theorems.shaping.base import alike, is_kind, room, shaped, table_rows

DYADIC = 2099
"""Bins of one column's dyadic histogram: all that the magnitude of a float64 can fall in."""
MOST_CELLS = 2**20
MOST_INTERVAL_CELLS = 4096
MOST_CONTESTANTS = 4096
"""Every pair is a contest: more hypotheses than this take hours."""
"""Every pair is a contest: more hypotheses than this take hours."""
HYPOTHESES = "hypotheses"
FAMILY_MIXTURES = "family_mixtures"
"""Name of the record that holds a released list of hypotheses."""


def cells(params: Params, inputs: Domains) -> Domain:
    """Occupied cells of nested grids."""
    rows = table_rows(inputs[0])
    is_kind(inputs[1], Record)
    return SparseCounts(rows.d, whole(params, "levels"))


def distances(params: Params, inputs: Domains) -> Domain:
    """Counts of distances to a centre."""
    alike(table_rows(inputs[0]).d, is_kind(inputs[1], Ball).d)
    return Counts(whole(params, "edges") + 1)


def radii(params: Params, inputs: Domains) -> Domain:
    """Weights by distance, for each component."""
    return Array((is_kind(inputs[0], WeightedRows).k, whole(params, "edges") + 1))


def in_column(listed: str, more: int) -> Shape:
    """Counts by a public list in one column."""

    def shape(params: Params, inputs: Domains) -> Domain:
        d, column, known = table_rows(inputs[0]).d, whole(params, "column", low=0), params.get(listed)
        if not column < d:
            raise PlanError(f"takes column {column} of rows with {d} columns", fix="count columns from 0")
        if not isinstance(known, (list, tuple)) or not known:
            raise PlanError(f"takes a list of {listed}, not {known!r}", fix=f"give {listed}=[...]")
        return Counts(len(known) + more)

    return shape


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


def _hypotheses(domain: Domain) -> None:
    if domain != Record(HYPOTHESES):
        raise PlanError(f"takes hypotheses, not {domain}", fix=f"make a record {HYPOTHESES!r} of them")


def _scaled(params: Params) -> None:
    """Scores are whole numbers of at most 2^40 rows."""
    if whole(params, "n") > MOST_ROWS:
        raise PlanError(f"takes n up to 2^40, not {params['n']}: scores are exact", fix="use a smaller n")


def interval_scores(params: Params, inputs: Domains) -> Domain:
    """A score for each released hypothesis over one column with released edges."""
    alike(table_rows(inputs[0]).d, 1)
    shape = is_kind(inputs[1], Array).shape
    if len(shape) != 2 or shape[0] != 1 or shape[1] >= MOST_INTERVAL_CELLS:
        raise PlanError(f"takes edges of shape (1, m), m < {MOST_INTERVAL_CELLS}, not {shape}", fix="use wider cells")
    _hypotheses(inputs[2])
    if whole(params, "intervals") > MOST_INTERVAL_CELLS:
        raise PlanError(f"takes at most {MOST_INTERVAL_CELLS} intervals", fix="use two a component")
    _scaled(params)
    return Scores(whole(params, "size"))


def density_scores(params: Params, inputs: Domains) -> Domain:
    """A score for each released mixture of a family, from its contests."""
    if inputs[1] != Record(FAMILY_MIXTURES):
        raise PlanError(f"takes mixtures of a family, not {inputs[1]}", fix=f"make a record {FAMILY_MIXTURES!r}")
    if not isinstance(params.get("family"), str) or not params["family"]:
        raise PlanError(f"{params.get('family')!r} is no family", fix="register one under its own name")
    return _contests(params, inputs)


def scheffe_scores(params: Params, inputs: Domains) -> Domain:
    """A score for each released hypothesis, from its contests."""
    _hypotheses(inputs[1])
    return _contests(params, inputs)


def _contests(params: Params, inputs: Domains) -> Domain:
    table_rows(inputs[0])
    size = whole(params, "size")
    shaped(inputs[2], (size, size), "masses")
    if size > MOST_CONTESTANTS:
        raise PlanError(
            f"can't contest {size} hypotheses pair by pair",
            fix=f"choose among at most {MOST_CONTESTANTS} at once, coarse to fine",
        )
    _scaled(params)
    return Scores(size)


def contest(params: Params, inputs: Domains) -> Domain:
    """A score for each listed mixture, from its contests."""
    size, listed = whole(params, "size"), is_kind(inputs[1], ListOf)
    alike(table_rows(inputs[0]).d, is_kind(listed.item, Mixture).d)
    room(listed, size, "hypotheses")
    shaped(inputs[2], (size, size), "thresholds")
    _scaled(params)
    return Counts(size)
