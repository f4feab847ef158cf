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
    AffineMap,
    Array,
    Ball,
    Blocks,
    Counts,
    Domain,
    Flag,
    Index,
    ListOf,
    Mixture,
    Rows,
    Scores,
    SparseCounts,
    Subspace,
    Symmetric,
    Vector,
    WeightedRows,
    Whitening,
)
from dpframe.theorems import shaping
from dpframe.theorems.base import Params, whole
from dpframe.theorems.shaping import is_kind as _is
from dpframe.theorems.shaping import rows_of as _rows

Domains = tuple[Domain, ...]
Shape = Callable[[Params, Domains], Domain]


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


def _alike(a: int, b: int) -> None:
    if a != b:
        raise PlanError(f"dimensions differ, {a} and {b}")


def _clip(region: str) -> Shape:
    def shape(params: Params, inputs: Domains) -> Domain:
        rows, ball = _rows(inputs[0], "any"), _is(inputs[1], Ball)
        _alike(rows.d, ball.d)
        return Rows(rows.d, region)

    return shape


def _affine(params: Params, inputs: Domains) -> Domain:
    rows, map_ = _rows(inputs[0], "any"), _is(inputs[1], AffineMap)
    _alike(rows.d, map_.d)
    return Rows(map_.p)


def _rescale(params: Params, inputs: Domains) -> Domain:
    rows, exponents = _rows(inputs[0], "any"), _is(inputs[1], Vector)
    _alike(rows.d, exponents.d)
    return Rows(rows.d)


def _project(params: Params, inputs: Domains) -> Domain:
    rows, space, ball = _rows(inputs[0], "any"), _is(inputs[1], Subspace), _is(inputs[2], Ball)
    _alike(rows.d, space.d)
    _alike(rows.d, ball.d)
    return Rows(space.p)


def _whiten(params: Params, inputs: Domains) -> Domain:
    rows, maps = _rows(inputs[0], "any"), _is(inputs[1], Whitening)
    _alike(rows.d, maps.d)
    return WeightedRows(maps.k, rows.d + 1)


def _row_map(params: Params, inputs: Domains) -> Domain:
    _rows(inputs[0], "any")
    return Rows(whole(params, "p"))


def _table(params: Params, inputs: Domains) -> Domain:
    return Rows(_rows(inputs[0], "any").d)


def _in_ball(params: Params, inputs: Domains) -> Domain:
    _alike(_rows(inputs[0], "any").d, _is(inputs[1], Ball).d)
    return Rows(inputs[0].d)  # type: ignore[attr-defined]


def _balls(params: Params, inputs: Domains, most: int) -> int:
    rows, listed = _rows(inputs[0], "any"), _is(inputs[1], ListOf)
    _alike(rows.d, _is(listed.item, Ball).d)
    if listed.max_length > most:
        raise PlanError(f"up to {listed.max_length} balls, room for {most}")
    return int(rows.d)


def _in_balls(params: Params, inputs: Domains) -> Domain:
    return Rows(_balls(params, inputs, whole(params, "balls")))


def _nearest(params: Params, inputs: Domains) -> Domain:
    rows, points = _rows(inputs[0], "any"), _is(inputs[1], Array)
    if points.shape != (whole(params, "centres"), rows.d):
        raise PlanError(f"points have shape {points.shape}")
    return Rows(rows.d)


def _halfspace(params: Params, inputs: Domains) -> Domain:
    rows, map_ = _rows(inputs[0], "any"), _is(inputs[1], AffineMap)
    _alike(rows.d, map_.d)
    _alike(map_.p, 1)
    return Rows(rows.d)


def _count(params: Params, inputs: Domains) -> Domain:
    _is(inputs[0], Rows, WeightedRows)
    return Counts(1)


def _of_ball(make: Callable[[int], Domain]) -> Shape:
    return lambda params, inputs: make(_rows(inputs[0], "unit_ball").d)


def _of_weighted(make: Callable[[Any, Any], Domain]) -> Shape:
    return lambda params, inputs: make(_is(inputs[0], WeightedRows).k, inputs[0].d)  # type: ignore[attr-defined]


def _box_claims(params: Params, inputs: Domains) -> dict[str, Any]:
    return {**params, "d": _rows(inputs[0], "unit_box").d}


def _distances(params: Params, inputs: Domains) -> Domain:
    _alike(_rows(inputs[0], "any").d, _is(inputs[1], Ball).d)
    return Counts(whole(params, "edges") + 1)


def _listed(name: str, more: int) -> Shape:
    return lambda params, inputs: shaping.in_column(params, inputs, name, more)


def _ball_counts(params: Params, inputs: Domains) -> Domain:
    _balls(params, inputs, whole(params, "size"))
    return Counts(whole(params, "size"))


def _extremum(params: Params, inputs: Domains) -> Domain:
    for domain in inputs:
        _is(domain, Counts)
    return Counts(1)


def _keeps(*kinds: type[Domain]) -> Shape:
    return lambda params, inputs: _is(inputs[0], *kinds)


def _chosen(params: Params, inputs: Domains) -> Domain:
    return Index(_is(inputs[0], Counts, Scores).m)


def _above(params: Params, inputs: Domains) -> Domain:
    return Index(_is(inputs[0], Counts).m)


def _tested(params: Params, inputs: Domains) -> Domain:
    _alike(_is(inputs[0], Counts).m, 1)
    return Flag()


def _sets(params: Params, inputs: Domains) -> dict[str, Any]:
    return {**params, "sets": whole(params, "size")}


def _cell_claims(params: Params, inputs: Domains) -> dict[str, Any]:
    return {**params, "histograms": _is(inputs[0], SparseCounts).levels}


def _block_results(params: Params, inputs: Domains) -> Domain:
    _rows(inputs[0], "any")
    item, size = params.get("item"), params.get("size")
    if not isinstance(size, (list, tuple)) or len(size) != (1 if item == "vector" else 2):
        raise PlanError(f"blocks of {item!r} have the sizes {size!r}")
    if item == "vector":
        return Blocks(whole(params, "t"), Vector(*size))
    if item not in ("points", "mixture"):
        raise PlanError(f"no block result is a {item!r}")
    return Blocks(whole(params, "t"), Mixture(*size) if item == "mixture" else Array(tuple(size)))


def _vectors(params: Params, inputs: Domains) -> Any:
    item = _is(_is(inputs[0], Blocks).item, Vector)
    _alike(item.d, whole(params, "d"))
    return item


def _agreement(params: Params, inputs: Domains) -> Domain:
    _vectors(params, inputs)
    return Counts(1)


def _selected(params: Params, inputs: Domains) -> Domain:
    _is(inputs[1], Flag)
    return _vectors(params, inputs)  # type: ignore[no-any-return]


def _populous(params: Params, inputs: Domains) -> Any:
    blocks = _is(inputs[0], Blocks)
    item = _is(blocks.item, Mixture)
    _alike(item.k, whole(params, "k"))
    _alike(item.d, whole(params, "d"))
    return item


def _weight(params: Params, inputs: Domains) -> Domain:
    _populous(params, inputs)
    return Counts(1)


def _averaged(params: Params, inputs: Domains) -> Domain:
    _is(inputs[1], Flag)
    return _populous(params, inputs)  # type: ignore[no-any-return]


def _mask_claims(params: Params, inputs: Domains) -> dict[str, Any]:
    mixture = _is(inputs[0], Mixture)
    return {**params, "k": mixture.k, "d": mixture.d}


def _candidates(params: Params, inputs: Domains, ball: Domain) -> int:
    item = _is(_is(inputs[0], Blocks).item, Array)
    if item.shape != (whole(params, "k"), whole(params, "d")):
        raise PlanError(f"blocks hold candidates of shape {item.shape}")
    _alike(_is(ball, Ball).d, item.shape[1])
    return whole(params, "d")


def _block_counts(params: Params, inputs: Domains) -> Domain:
    balls = _is(inputs[1], ListOf)
    _candidates(params, inputs, balls.item)
    if balls.max_length > whole(params, "size"):
        raise PlanError(f"up to {balls.max_length} balls, room for {params['size']}")
    return Counts(whole(params, "size"))


def _contest(params: Params, inputs: Domains) -> Domain:
    size, listed = whole(params, "size"), _is(inputs[1], ListOf)
    _alike(_rows(inputs[0], "any").d, _is(listed.item, Mixture).d)
    if listed.max_length > size or _is(inputs[2], Array).shape != (size, size):
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


def _mechanism(
    calibration: str,
    shape: Shape,
    claims: Callable[[Params, Domains], dict[str, Any]] = _as_declared,
    *,
    more: str = "",
) -> Signature:
    return Signature("mechanism", "share noise_multiplier " + more, shape, claims, calibration=calibration)


SIGNATURES: dict[str, Signature] = {
    "clip_ball": Signature("transform", "bits", _clip("unit_ball"), released=1),
    "clip_box": Signature("transform", "bits", _clip("unit_box"), released=1),
    "affine": Signature("transform", "", _affine, released=1),
    "project": Signature("transform", "", _project, released=2),
    "rescale": Signature("transform", "", _rescale, released=1),
    "whiten": Signature("transform", "bits", _whiten, released=1),
    "row_map": Signature("transform", "function p", _row_map, released=-1),
    "pairs": Signature("gather", "max_pairs seed", _table, public_n=True),
    "secret_pairs": Signature("gather", "max_pairs", _table),
    "filter_ball": _partition("", _in_ball, lambda p: 2, released=1),
    "partition_balls": _partition("balls", _in_balls, lambda p: whole(p, "balls") + 1, released=1),
    "partition_nearest": _partition("centres", _nearest, lambda p: whole(p, "centres"), released=1),
    "partition_halfspace": _partition("", _halfspace, lambda p: 2, released=1),
    "split": _partition("count seed", _table, lambda p: whole(p, "count"), public_n=True),
    "secret_split": _partition("count", _table, lambda p: whole(p, "count")),
    "subsample": _partition("rate", _table, lambda p: 1),
    "count": Signature("statistic", "", _count),
    "sum": Signature("statistic", "bits", _of_ball(Vector)),
    "mean": Signature("statistic", "bits", _of_ball(lambda d: Vector(d + 1))),
    "box_sum": Signature("statistic", "bits", lambda p, i: Vector(_rows(i[0], "unit_box").d), _box_claims),
    "gram": Signature("statistic", "bits", _of_ball(Symmetric)),
    "square_sum": Signature("statistic", "bits", _of_ball(lambda d: Counts(1))),
    "distance_histogram": Signature(
        "statistic", "edges ratio", _distances, lambda p, i: {**p, "histograms": 1}, released=1
    ),
    "cells": Signature(
        "statistic", "levels", shaping.cells, lambda p, i: {**p, "histograms": whole(p, "levels")}, released=1
    ),
    "bin_counts": Signature("statistic", "column edges", _listed("edges", 1), lambda p, i: {**p, "histograms": 1}),
    "value_counts": Signature("statistic", "column values", _listed("values", 1), lambda p, i: {**p, "histograms": 1}),
    "dyadic_counts": Signature("statistic", "", shaping.dyadic, shaping.a_column_each),
    "marginal_counts": Signature("statistic", "", shaping.marginal, shaping.a_column_each, released=1),
    "product_counts": Signature("statistic", "", shaping.product, lambda p, i: {**p, "histograms": 1}, released=1),
    "column_cells": Signature(
        "statistic", "levels", shaping.column_cells, lambda p, i: {**p, "histograms": whole(p, "levels")}, released=1
    ),
    "box_cells": Signature(
        "statistic", "levels", shaping.box_cells, lambda p, i: {**p, "histograms": whole(p, "levels")}, released=1
    ),
    "rank_scores": Signature("statistic", "candidates numerator denominator column", _listed("candidates", 0)),
    "ball_counts": Signature("statistic", "size", _ball_counts, _sets, released=1),
    "terrific_score": Signature("statistic", "size t c", _ball_counts, _sets, released=1),
    "weighted_counts": Signature("statistic", "bits", _of_weighted(lambda k, d: Counts(k))),
    "weighted_sums": Signature("statistic", "bits", _of_weighted(lambda k, d: Array((k, d)))),
    "weighted_grams": Signature("statistic", "bits", _of_weighted(lambda k, d: Symmetric(d, k))),
    "contest_scores": Signature("statistic", "size n", _contest, released=2),
    "interval_scores": Signature("statistic", "size n intervals", shaping.interval_scores, released=2),
    "scheffe_scores": Signature("statistic", "size n", shaping.scheffe_scores, released=2),
    "block_learner": Signature("blocks", "learner t seed item size", _block_results, public_n=True),
    "block_counts": Signature("query", "k d size", _block_counts, _sets, released=1),
    "block_sum": Signature("query", "k d bits", lambda p, i: Vector(_candidates(p, i, i[1]) + 1), released=1),
    "agreement": Signature("query", "semimetric r d", _agreement),
    "select_block": Signature(
        "query", "semimetric r d theta test_threshold bits", _selected, released=1, conditional=True
    ),
    "populous_weight": Signature("query", "k d r majority ramp", _weight),
    "populous_average": Signature(
        "query", "k d r majority ramp test_threshold", _averaged, released=1, conditional=True
    ),
    "mixture_agreement": Signature("query", "k d nu", _weight),
    "select_mixture": Signature("query", "k d nu majority test_threshold", _averaged, released=1, conditional=True),
    "registered_agreement": Signature("query", "semimetric r z d", _agreement),
    "select_registered": Signature(
        "query", "semimetric r z d majority test_threshold", _selected, released=1, conditional=True
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
