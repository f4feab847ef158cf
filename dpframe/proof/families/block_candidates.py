"""Candidates of blocks, counted and averaged: one row changes all k candidates of its block (KSSU19 §6, C12).

Blocks give k candidates of d columns that say where each is, and of ``payload`` more.
"""

from __future__ import annotations

import math

from dpframe.errors import PlanError
from dpframe.proof.spaces import (
    L1,
    L2,
    Array,
    Ball,
    Blocks,
    Counts,
    Domain,
    LInf,
    ListOf,
    OneOf,
    OneSided,
    Record,
    SparseCounts,
    Vector,
)
from dpframe.proof.theorems.base import Metrics, Params, find, theorem, up, whole
from dpframe.proof.theorems.declaring import BLOCKS, Domains, declare, free
from dpframe.proof.theorems.shaping.base import alike, is_kind, room, told_of


def _columns(params: Params, inputs: Domains) -> int:
    """All columns of the k candidates a block, the payload's among them."""
    shape = is_kind(is_kind(inputs[0], Blocks).item, Array).shape
    wanted = (whole(params, "k"), whole(params, "d") + whole(params, "payload", low=0))
    if shape != wanted:
        raise PlanError(f"takes blocks of {wanted} candidates, not {shape}", fix="use item='points' of that size")
    return wanted[1]


def _counts(params: Params, inputs: Domains) -> Domain:
    balls, size = is_kind(inputs[1], ListOf), whole(params, "size")
    _columns(params, inputs)
    alike(is_kind(balls.item, Ball).d, whole(params, "d"))
    room(balls, size, "balls")
    return Counts(size)


@theorem("block_candidates", "query", "KSSU19 §6; docs/theory/corrections.md#c12")
def _block_candidates(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Counting *blocks* that have a candidate in a released or public set: each changed block moves a count by 1."""
    bound, m = float(find(inputs[0], OneOf).changed), whole(params, "sets")
    return (LInf(bound), L1(up(m * bound)), L2(up(up(math.sqrt(m)) * bound)))


declare(
    "block_counts",
    "query",
    "block_candidates",
    (BLOCKS, free("balls")),
    _counts,
    parameters="k d payload size",
    tells=told_of("sets", "size"),
)


def _cells(params: Params, inputs: Domains) -> Domain:
    _columns(params, inputs)
    is_kind(inputs[1], Record)
    return SparseCounts(whole(params, "d"), whole(params, "levels"), whole(params, "k"))


@theorem("block_cells", "query", "KSSU19 §6; docs/theory/corrections.md#c12")
def _block_cells(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Numbers of *blocks* with a candidate in each cell, m levels: a block is in at most k cells of a level.

    A block counts once in a cell. A changed one takes 1 from at most k cells of a level and gives 1 to at most k: 2km
    entries of ±1, so ℓ₁ 2km, ℓ₂ √(2km); no cell moves by more than 1, and at most km become empty, or cease to be so.
    """
    c, k, m = find(inputs[0], OneOf).changed, whole(params, "k"), whole(params, "levels")
    moved = 2 * k * m
    return (L1(float(c * moved)), L2(up(c * up(math.sqrt(moved)))), LInf(float(c)), OneSided(float(c * k * m)))


declare("block_cells", "query", "block_cells", (BLOCKS, free("grids")), _cells, parameters="k d payload levels")


def _check_room(params: Params, inputs: Domains) -> None:
    if is_kind(inputs[0], Blocks).t << whole(params, "bits") > 2**52:
        raise PlanError("has no room for so many blocks on this lattice", fix="use fewer bits")


def _sum(params: Params, inputs: Domains) -> Domain:
    _columns(params, inputs)
    alike(is_kind(inputs[1], Ball).d, whole(params, "d"))
    _check_room(params, inputs)
    return Vector(whole(params, "d") + 1)


@theorem("block_weights", "query", "KSSU19 §6; docs/theory/corrections.md#c12")
def _block_weights(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σ(y, 1) over blocks that give one y, ‖y‖ <= 1, or nothing: a changed block moves it by at most 2 in ℓ₂.

    Two blocks that give one differ by (y − y', 0), of norm at most 2; one that gives one and one that gives none by
    (y, 1), √2.
    """
    return (L2(2.0 * find(inputs[0], OneOf).changed),)


declare(
    "block_sum",
    "query",
    "block_weights",
    (BLOCKS, free("ball")),
    _sum,
    parameters="k d payload bits",
    finish="mean_of_ball",
)


def _moments(params: Params, inputs: Domains) -> Domain:
    columns = _columns(params, inputs)
    d, p = is_kind(inputs[1], Ball).d, is_kind(inputs[2], Ball).d
    alike(d, whole(params, "d"))
    alike(d + p, columns)
    _check_room(params, inputs)
    return Vector(columns + 1)


@theorem("block_moments", "query", "KSSU19 §6; docs/theory/corrections.md#c12")
def _block_moments(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Σ(y, z, 1), ‖y‖ <= 1 and ‖z‖ <= 1, over blocks that give one such triple or nothing: 2√2 in ℓ₂ a changed block.

    Two triples differ by (y − y', z − z', 0), of norm at most √(2² + 2²); one triple and none by at most √3.
    """
    return (L2(up(2.0 * up(math.sqrt(2.0)) * find(inputs[0], OneOf).changed)),)


declare(
    "block_moments",
    "query",
    "block_moments",
    (BLOCKS, free("ball"), free("payload")),
    _moments,
    parameters="k d payload bits",
    finish="",
)
