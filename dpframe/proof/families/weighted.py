"""Sensitivity of sums over rows with soft weights: one row weighs at most 1 over all components."""

from __future__ import annotations

import math
from collections.abc import Callable

from dpframe.errors import PlanError
from dpframe.proof.spaces import L1, L2, Array, Counts, Domain, Edits, LInf, Rows, Symmetric, WeightedRows, Whitening
from dpframe.proof.theorems.base import Metrics, Params, find, theorem, whole
from dpframe.proof.theorems.declaring import ROWS, Domains, Shape, declare, declare_statistic, free
from dpframe.proof.theorems.rows import root
from dpframe.proof.theorems.shaping.base import alike, is_kind, table_rows


def of_weighted(make: Callable[[int, int], Domain]) -> Shape:
    """What is made of k components and d columns of weighted rows."""

    def shape(params: Params, inputs: Domains) -> Domain:
        rows = is_kind(inputs[0], WeightedRows)
        return make(rows.k, rows.d)

    return shape


def radii(params: Params, inputs: Domains) -> Domain:
    """Weights by distance, for each component."""
    return Array((is_kind(inputs[0], WeightedRows).k, whole(params, "edges") + 1))


def whiten(params: Params, inputs: Domains) -> Domain:
    """Rows seen by every component, with one extra coordinate, the anchor's."""
    rows, maps, bits = table_rows(inputs[0]), is_kind(inputs[1], Whitening), whole(params, "bits")
    alike(rows.d, maps.d)
    if 52 - bits - math.ceil(math.log2(maps.k)) < bits:
        raise PlanError(f"has no room for {maps.k} components on {bits} bits", fix="use fewer bits")
    return WeightedRows(maps.k, rows.d + 1)


def log_densities(params: Params, inputs: Domains) -> Domain:
    """A column for every released mixture."""
    rows, maps = table_rows(inputs[0]), is_kind(inputs[1], Whitening)
    for other in (maps, *inputs[2:]):
        alike(rows.d, is_kind(other, Whitening).d)
    return Rows(len(inputs) - 1)


declare("whiten", "transform", "row_map", (ROWS, free("whitening")), whiten, parameters="bits")
declare(
    "log_densities", "transform", "row_map", (ROWS, free("whitening"), free("others", variadic=True)), log_densities
)


def _of_mass(inputs: tuple[Metrics, ...]) -> Metrics:
    """Entries >= 0 that a row gives 1 in all: ‖v‖₂ <= ‖v‖₁ <= 1, and inner products are >= 0."""
    e = find(inputs[0], Edits)
    return (L1(float(e.total)), L2(root(e)), LInf(float(max(e.removed, e.added))))


@theorem("weighted_counts", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_counts(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σγ over rows with γ >= 0 and Σ_j γ_j <= 1: ‖γ‖₂ <= ‖γ‖₁ <= 1 and inner products are >= 0."""
    return _of_mass(inputs)


declare_statistic("weighted_counts", "weighted_counts", of_weighted(lambda k, d: Counts(k)), parameters="bits")


@theorem("weighted_squares", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_squares(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σγ_j‖z_j‖² with ‖z_j‖ <= 1: entries from 0 to γ_j, so ‖v‖₂ <= ‖v‖₁ <= 1 and inner products are >= 0."""
    return _of_mass(inputs)


declare_statistic("weighted_squares", "weighted_squares", of_weighted(lambda k, d: Counts(k)), parameters="bits")


@theorem("weighted_radii", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_radii(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σγ_j by bins of component j, one a row: γ with zeros put in, so ‖v‖₂ <= ‖v‖₁ <= 1 and inner products are >= 0."""
    return _of_mass(inputs)


declare_statistic("weighted_radii", "weighted_radii", radii, parameters="bits edges ratio")


@theorem("weighted_sums", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_sums(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """(Σγ_j z_j)_j has a joint contribution of norm √(Σγ_j²‖z_j‖²) <= Σγ_j <= 1, enforced in integers."""
    return (L2(float(find(inputs[0], Edits).total)),)


declare_statistic(
    "weighted_sums", "weighted_sums", of_weighted(lambda k, d: Array((k, d))), parameters="bits", finish=""
)


@theorem("weighted_grams", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_grams(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """(Σγ_j z_j z_jᵀ)_j: contributions Σ_j‖γ_j z_j z_jᵀ‖² <= (Σγ_j‖z_j‖²)² <= 1 with inner products >= 0."""
    return (L2(root(find(inputs[0], Edits))),)


declare_statistic(
    "weighted_grams", "weighted_grams", of_weighted(lambda k, d: Symmetric(d, k)), parameters="bits", finish=""
)
