"""Operations in row expressions: the kernel evaluates a formula row by row, so nothing is left to believe.

Proof: ``docs/theory/own.md``, "Expressions".
"""

from __future__ import annotations

from dpframe.proof.theorems.base import Metrics, Params, theorem, whole
from dpframe.proof.theorems.declaring import ROWS, declare, declare_statistic
from dpframe.proof.theorems.own import MORE, of_contributions, size_of
from dpframe.proof.theorems.shaping import expressions


@theorem("expressed_contribution", "sensitivity", "docs/theory/own.md#expressions")
def _expressed_contribution(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """As own_contribution, without its hypothesis: the kernel computes each contribution from its row alone.

    A formula's steps are columns of the row, public and released numbers, and functions of earlier steps, each
    evaluated element by element: no step can be told of another row.
    """
    return of_contributions(params, inputs)


declare("express", "transform", "row_map", (ROWS, MORE), expressions.express, parameters="formula")
declare_statistic(
    "express_sum",
    "expressed_contribution",
    expressions.express_sum,
    MORE,
    parameters="formula gives norm bound nonnegative bits",
    tells=lambda params, inputs: {**params, "p": size_of(expressions.express_sum(params, inputs))},
)
declare(
    "express_parts",
    "partition",
    "rule_partition",
    (ROWS, MORE),
    expressions.express_parts,
    parameters="formula count",
    parts=lambda params: whole(params, "count"),
)
