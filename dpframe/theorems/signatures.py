"""What each operation that touches private values takes and makes: kind, domains, claims, noise parameters.

A certificate names its operations; this table says what a name may stand for, so that no file can give a
statistic a bounded domain that no clip made, or tell a theorem fewer histograms than there are. An operation
that is not listed is post-processing and may read released and public values only. The operations themselves
declare the same again; a test keeps the two alike.

Examples
--------
>>> from dpframe.spaces import Ball, Rows
>>> SIGNATURES["clip_ball"].shape({}, (Rows(3), Ball(3)))
Rows(d=3, region='unit_ball')
>>> SIGNATURES["box_sum"].claims({"bits": 20}, (Rows(3, "unit_box"),))
{'bits': 20, 'd': 3}
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from dpframe.errors import PlanError
from dpframe.spaces import (
    Array,
    Ball,
    Counts,
    Domain,
    Flag,
    Index,
    ListOf,
    Mixture,
    Rows,
    Scores,
    SparseCounts,
    Symmetric,
    Vector,
    WeightedRows,
)
from dpframe.theorems.base import Params, whole
from dpframe.theorems.shaping import blocks, histograms, rows
from dpframe.theorems.shaping.base import Domains, Shape, alike, is_kind, rows_of


def _as_declared(params: Params, inputs: Domains) -> dict[str, Any]:
    return dict(params)


def _words(names: str) -> tuple[str, ...]:
    return tuple(names.split())


@attrs.frozen
class Signature:
    """One operation.

    Attributes
    ----------
    kind : str
        ``transform``, ``gather``, ``partition``, ``blocks``, ``statistic``, ``query``, ``mechanism`` or ``control``.
    parameters : tuple of str
        Names of the declared parameters, given as one string.
    shape : callable
        Domain of the output (of each part) from the declared parameters and input domains.
    claims : callable
        What the theorem must be told.
    private : int
        How many leading inputs are private. 0: all of them, at least one.
    released : int
        How many released or public inputs follow. −1: any number.
    calibration : tuple of str
        The noise parameters of a mechanism.
    parts : callable, optional
        Number of parts of a partition.
    conditional : bool
        Whether the result exists only if a test passed, its second input.
    bodies : tuple of str
        Labels of the subgraphs of a control operation.
    public_n : bool
        Whether it rests on a public number of rows (blocks and pairs by index): refused under add/remove.
    """

    kind: str
    parameters: tuple[str, ...] = attrs.field(converter=_words)
    shape: Shape
    claims: Callable[[Params, Domains], dict[str, Any]] = _as_declared
    private: int = 1
    released: int = 0
    calibration: tuple[str, ...] = attrs.field(default="", converter=_words)
    parts: Callable[[Params], int] | None = None
    conditional: bool = False
    bodies: tuple[str, ...] = ()
    public_n: bool = False


def _count(params: Params, inputs: Domains) -> Domain:
    is_kind(inputs[0], Rows, WeightedRows)
    return Counts(1)


def _of_ball(make: Callable[[int], Domain]) -> Shape:
    return lambda params, inputs: make(rows_of(inputs[0], "unit_ball").d)


def _of_weighted(make: Callable[[Any, Any], Domain]) -> Shape:
    return lambda params, inputs: make(is_kind(inputs[0], WeightedRows).k, inputs[0].d)  # type: ignore[attr-defined]


def _box_claims(params: Params, inputs: Domains) -> dict[str, Any]:
    return {**params, "d": rows_of(inputs[0], "unit_box").d}


def _distances(params: Params, inputs: Domains) -> Domain:
    alike(rows_of(inputs[0], "any").d, is_kind(inputs[1], Ball).d)
    return Counts(whole(params, "edges") + 1)


def _listed(name: str, more: int) -> Shape:
    return lambda params, inputs: histograms.in_column(params, inputs, name, more)


def _ball_counts(params: Params, inputs: Domains) -> Domain:
    rows.balls_of(params, inputs, whole(params, "size"))
    return Counts(whole(params, "size"))


def _extremum(params: Params, inputs: Domains) -> Domain:
    for domain in inputs:
        is_kind(domain, Counts)
    return Counts(1)


def _keeps(*kinds: type[Domain]) -> Shape:
    return lambda params, inputs: is_kind(inputs[0], *kinds)


def _chosen(params: Params, inputs: Domains) -> Domain:
    return Index(is_kind(inputs[0], Counts, Scores).m)


def _above(params: Params, inputs: Domains) -> Domain:
    return Index(is_kind(inputs[0], Counts).m)


def _tested(params: Params, inputs: Domains) -> Domain:
    alike(is_kind(inputs[0], Counts).m, 1)
    return Flag()


def _sets(params: Params, inputs: Domains) -> dict[str, Any]:
    return {**params, "sets": whole(params, "size")}


def _cell_claims(params: Params, inputs: Domains) -> dict[str, Any]:
    return {**params, "histograms": is_kind(inputs[0], SparseCounts).levels}


def _mask_claims(params: Params, inputs: Domains) -> dict[str, Any]:
    mixture = is_kind(inputs[0], Mixture)
    return {**params, "k": mixture.k, "d": mixture.d}


def _contest(params: Params, inputs: Domains) -> Domain:
    size, listed = whole(params, "size"), is_kind(inputs[1], ListOf)
    alike(rows_of(inputs[0], "any").d, is_kind(listed.item, Mixture).d)
    if listed.max_length > size or is_kind(inputs[2], Array).shape != (size, size):
        raise PlanError(f"up to {listed.max_length} hypotheses and thresholds {inputs[2]}, scores for {size}")
    return Counts(size)


def _branch(params: Params, inputs: Domains) -> Domain:
    if inputs[0] != inputs[1]:
        raise PlanError(f"the branches release different domains, {inputs[0]} and {inputs[1]}")
    return inputs[0]


def _for_each(params: Params, inputs: Domains) -> Domain:
    return ListOf(inputs[0], whole(params, "max_length"))


def _divide(params: Params, inputs: Domains) -> Domain:
    return ListOf(inputs[1], whole(params, "max_leaves"))


def _partition(
    parameters: str, shape: Shape, parts: Callable[[Params], int], *, released: int = 0, public_n: bool = False
) -> Signature:
    return Signature("partition", parameters, shape, released=released, parts=parts, public_n=public_n)


def _parts_by_index(params: Params) -> int:
    """Parts cut by index: equal ones, or with a weight each."""
    count, weights = whole(params, "count"), params["weights"]
    if not isinstance(weights, (list, tuple)) or len(weights) not in (0, count):
        raise PlanError(f"weights must be none or {count} whole numbers, not {weights!r}")
    for i in range(len(weights)):
        whole(dict(enumerate(weights)), i)  # type: ignore[arg-type]
    return count


def _mechanism(
    calibration: str,
    shape: Shape,
    claims: Callable[[Params, Domains], dict[str, Any]] = _as_declared,
    *,
    more: str = "",
) -> Signature:
    return Signature("mechanism", "share noise_multiplier " + more, shape, claims, calibration=calibration)


SIGNATURES: dict[str, Signature] = {
    "clip_ball": Signature("transform", "bits", rows.clip("unit_ball"), released=1),
    "clip_box": Signature("transform", "bits", rows.clip("unit_box"), released=1),
    "affine": Signature("transform", "", rows.affine, released=1),
    "project": Signature("transform", "", rows.project, released=2),
    "rescale": Signature("transform", "", rows.rescale, released=1),
    "whiten": Signature("transform", "bits", rows.whiten, released=1),
    "row_map": Signature("transform", "function p", rows.row_map, released=-1),
    "pairs": Signature("gather", "max_pairs seed", rows.table, public_n=True),
    "secret_pairs": Signature("gather", "max_pairs", rows.table),
    "filter_ball": _partition("", rows.in_ball, lambda p: 2, released=1),
    "partition_balls": _partition("balls", rows.in_balls, lambda p: whole(p, "balls") + 1, released=1),
    "partition_nearest": _partition("centres", rows.nearest, lambda p: whole(p, "centres"), released=1),
    "partition_halfspace": _partition("", rows.halfspace, lambda p: 2, released=1),
    "split": _partition("count seed weights", rows.table, _parts_by_index, public_n=True),
    "secret_split": _partition("count", rows.table, lambda p: whole(p, "count")),
    "subsample": _partition("rate", rows.table, lambda p: 1),
    "count": Signature("statistic", "", _count),
    "sum": Signature("statistic", "bits", _of_ball(Vector)),
    "mean": Signature("statistic", "bits", _of_ball(lambda d: Vector(d + 1))),
    "box_sum": Signature("statistic", "bits", lambda p, i: Vector(rows_of(i[0], "unit_box").d), _box_claims),
    "gram": Signature("statistic", "bits", _of_ball(Symmetric)),
    "square_sum": Signature("statistic", "bits", _of_ball(lambda d: Counts(1))),
    "distance_histogram": Signature(
        "statistic", "edges ratio", _distances, lambda p, i: {**p, "histograms": 1}, released=1
    ),
    "cells": Signature(
        "statistic", "levels", histograms.cells, lambda p, i: {**p, "histograms": whole(p, "levels")}, released=1
    ),
    "bin_counts": Signature("statistic", "column edges", _listed("edges", 1), lambda p, i: {**p, "histograms": 1}),
    "value_counts": Signature("statistic", "column values", _listed("values", 1), lambda p, i: {**p, "histograms": 1}),
    "dyadic_counts": Signature("statistic", "", histograms.dyadic, histograms.a_column_each),
    "marginal_counts": Signature("statistic", "", histograms.marginal, histograms.a_column_each, released=1),
    "product_counts": Signature("statistic", "", histograms.product, lambda p, i: {**p, "histograms": 1}, released=1),
    "column_cells": Signature(
        "statistic", "levels", histograms.column_cells, lambda p, i: {**p, "histograms": whole(p, "levels")}, released=1
    ),
    "box_cells": Signature(
        "statistic", "levels", histograms.box_cells, lambda p, i: {**p, "histograms": whole(p, "levels")}, released=1
    ),
    "rank_scores": Signature("statistic", "candidates numerator denominator column", _listed("candidates", 0)),
    "ball_counts": Signature("statistic", "size", _ball_counts, _sets, released=1),
    "terrific_score": Signature("statistic", "size t c", _ball_counts, _sets, released=1),
    "weighted_counts": Signature("statistic", "bits", _of_weighted(lambda k, d: Counts(k))),
    "weighted_sums": Signature("statistic", "bits", _of_weighted(lambda k, d: Array((k, d)))),
    "weighted_grams": Signature("statistic", "bits", _of_weighted(lambda k, d: Symmetric(d, k))),
    "contest_scores": Signature("statistic", "size n", _contest, released=2),
    "interval_scores": Signature("statistic", "size n intervals", histograms.interval_scores, released=2),
    "scheffe_scores": Signature("statistic", "size n", histograms.scheffe_scores, released=2),
    "block_learner": Signature("blocks", "learner t seed item size", blocks.block_results, public_n=True),
    "block_counts": Signature("query", "k d size", blocks.block_counts, _sets, released=1),
    "block_sum": Signature("query", "k d bits", lambda p, i: Vector(blocks.candidates(p, i, i[1]) + 1), released=1),
    "agreement": Signature("query", "semimetric r d", blocks.agreement),
    "select_block": Signature(
        "query", "semimetric r d theta test_threshold bits", blocks.selected, released=1, conditional=True
    ),
    "populous_weight": Signature("query", "k d r majority ramp", blocks.weight),
    "populous_average": Signature(
        "query", "k d r majority ramp test_threshold", blocks.averaged, released=1, conditional=True
    ),
    "mixture_agreement": Signature("query", "k d nu", blocks.weight),
    "select_mixture": Signature(
        "query", "k d nu majority test_threshold", blocks.averaged, released=1, conditional=True
    ),
    "registered_agreement": Signature("query", "semimetric r z d", blocks.agreement),
    "select_registered": Signature(
        "query", "semimetric r z d majority test_threshold", blocks.selected, released=1, conditional=True
    ),
    "cap": Signature("query", "t", _keeps(Counts)),
    "minimum": Signature("query", "", _extremum, lambda p, i: {**p, "scalar": True}, private=0),
    "maximum": Signature("query", "", _extremum, lambda p, i: {**p, "scalar": True}, private=0),
    "gaussian": _mechanism("sigma", _keeps(Vector, Symmetric, Counts, Array)),
    "discrete_gaussian": _mechanism("sigma", _keeps(Vector, Counts)),
    "laplace": _mechanism("scale", _keeps(Vector, Counts)),
    "stable_histogram": _mechanism("scale delta", _keeps(SparseCounts), _cell_claims, more="noise delta_fraction"),
    "above_threshold": _mechanism("rate", _above, more="threshold"),
    "exponential_mechanism": _mechanism("rate", _chosen),
    "permute_and_flip": _mechanism("rate", _chosen),
    "truncated_laplace_test": _mechanism(
        "epsilon delta sensitivity half_width", _tested, more="threshold delta_fraction"
    ),
    "mixture_mask": _mechanism(
        "eta_weight eta_mean eta_covariance delta", _keeps(Mixture), _mask_claims, more="spread"
    ),
    "registered_mask": _mechanism("rho", _keeps(Vector), more="mask semimetric r"),
    "branch": Signature("control", "", _branch, bodies=("then", "otherwise")),
    "for_each": Signature("control", "share view max_length", _for_each, bodies=("body",)),
    "recurse": Signature("control", "max_depth max_leaves", _divide, bodies=("body", "leaf")),
    "worklist": Signature("control", "max_depth max_leaves", _divide, bodies=("body", "leaf")),
}
