"""Sensitivity of sums over rows with soft weights: one row weighs at most 1 over all components."""

from __future__ import annotations

from dpframe.proof.spaces import L1, L2, Array, Counts, Edits, LInf, Symmetric
from dpframe.proof.theorems.base import Metrics, Params, find, theorem
from dpframe.proof.theorems.declaring import ROWS, declare
from dpframe.proof.theorems.rows import root
from dpframe.proof.theorems.shaping import histograms, rows


@theorem("weighted_counts", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_counts(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σγ over rows with γ >= 0 and Σ_j γ_j <= 1: ‖γ‖₂ <= ‖γ‖₁ <= 1 and inner products are >= 0."""
    e = find(inputs[0], Edits)
    return (L1(float(e.total)), L2(root(e)), LInf(float(max(e.removed, e.added))))


declare(
    "weighted_counts",
    "statistic",
    "weighted_counts",
    (ROWS,),
    rows.of_weighted(lambda k, d: Counts(k)),
    parameters="bits",
)


@theorem("weighted_squares", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_squares(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σγ_j‖z_j‖² with ‖z_j‖ <= 1: entries from 0 to γ_j, so ‖v‖₂ <= ‖v‖₁ <= 1 and inner products are >= 0."""
    e = find(inputs[0], Edits)
    return (L1(float(e.total)), L2(root(e)), LInf(float(max(e.removed, e.added))))


declare(
    "weighted_squares",
    "statistic",
    "weighted_squares",
    (ROWS,),
    rows.of_weighted(lambda k, d: Counts(k)),
    parameters="bits",
)


@theorem("weighted_radii", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_radii(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σγ_j by bins of component j, one a row: γ with zeros put in, so ‖v‖₂ <= ‖v‖₁ <= 1 and inner products are >= 0."""
    e = find(inputs[0], Edits)
    return (L1(float(e.total)), L2(root(e)), LInf(float(max(e.removed, e.added))))


declare(
    "weighted_radii",
    "statistic",
    "weighted_radii",
    (ROWS,),
    histograms.radii,
    parameters="bits edges ratio",
)


@theorem("weighted_sums", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_sums(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """(Σγ_j z_j)_j has a joint contribution of norm √(Σγ_j²‖z_j‖²) <= Σγ_j <= 1, enforced in integers."""
    return (L2(float(find(inputs[0], Edits).total)),)


declare(
    "weighted_sums",
    "statistic",
    "weighted_sums",
    (ROWS,),
    rows.of_weighted(lambda k, d: Array((k, d))),
    parameters="bits",
    finish="",
)


@theorem("weighted_grams", "sensitivity", "docs/theory/corrections.md#weighted")
def _weighted_grams(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """(Σγ_j z_j z_jᵀ)_j: contributions Σ_j‖γ_j z_j z_jᵀ‖² <= (Σγ_j‖z_j‖²)² <= 1 with inner products >= 0."""
    return (L2(root(find(inputs[0], Edits))),)


declare(
    "weighted_grams",
    "statistic",
    "weighted_grams",
    (ROWS,),
    rows.of_weighted(lambda k, d: Symmetric(d, k)),
    parameters="bits",
    finish="",
)
