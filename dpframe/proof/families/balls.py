"""Counts of rows in released balls, and the scores of terrific balls: what learners of separated clusters go by."""

from __future__ import annotations

import math

from dpframe.proof.spaces import L1, L2, Counts, Domain, LInf
from dpframe.proof.theorems.base import Metrics, Params, by_larger, theorem, up, whole
from dpframe.proof.theorems.declaring import Domains, declare_statistic, free
from dpframe.proof.theorems.shaping.base import alike, is_kind, told_of
from dpframe.proof.theorems.shaping.rows import balls_of


def ball_counts(params: Params, inputs: Domains) -> Domain:
    """A count a released ball."""
    size = whole(params, "size")
    balls_of(inputs, size, "size")
    return Counts(size)


def terrific(params: Params, inputs: Domains) -> Domain:
    """A score a released ball, with a released outer ratio where one is given."""
    if len(inputs) > 2:
        alike(is_kind(inputs[2], Counts).m, 1)
    return ball_counts(params, inputs[:2])


@theorem("ball_counts", "sensitivity", "docs/theory/notation.md#sums")
def _ball_counts(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Counts of rows in m released or public sets, which may overlap: each moves by at most max(r, a)."""
    bound, m = by_larger(inputs), whole(params, "sets")
    return (LInf(bound), L1(up(m * bound)), L2(up(up(math.sqrt(m)) * bound)))


declare_statistic(
    "ball_counts", "ball_counts", ball_counts, free("balls"), parameters="size", tells=told_of("sets", "size")
)


@theorem("terrific_score", "query", "KSSU19 Lemma 5.7; docs/theory/corrections.md#c7")
def _terrific_score(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """min{in, outside, t − annulus}, counts capped at t, is the minimum of three terms that move by max(r, a)."""
    return (LInf(by_larger(inputs)),)


declare_statistic(
    "terrific_score",
    "terrific_score",
    terrific,
    free("balls"),
    free("ratio", optional=True),
    parameters="size t c",
    tells=told_of("sets", "size"),
)
