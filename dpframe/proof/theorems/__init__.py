"""The cited statements: what turns edits into metrics and metrics into losses.

A theorem is a pure function of declared numbers. The planner calls it to price a graph, and
:mod:`dpframe.proof.checker` calls it to check a certificate, each with a traversal of its own; a
proof therefore lives here, once, as the docstring of the rule. Metrics come as tuples: all of them
hold at once (a histogram has an ℓ₁ *and* an ℓ₂ bound).

Notation: ``Edits(r, a)`` takes ``r`` rows out and puts ``a`` rows in. All bounds are rounded up.

Examples
--------
>>> from dpframe.proof.spaces import L2, REPLACE_ONE
>>> THEOREMS["bounded_sum"].rule({}, ((REPLACE_ONE,),))
(L2(bound=2.0),)
>>> THEOREMS["gaussian_mechanism"].rule({"sigma": 4.0}, ((L2(2.0),),)).events[0][0].mu
0.5000000000000001
"""

from dpframe.proof.theorems import composition, mechanisms, own, queries, rows
from dpframe.proof.theorems import expressed as expressed  # after the theorems that it cites
from dpframe.proof.theorems.base import THEOREMS, Metrics, Params, Theorem, find, number, theorem, up, whole
from dpframe.proof.theorems.composition import (
    BY_RULE,
    MOST_ALLOCATIONS,
    allocations,
    fixed_total,
    in_view,
    spread,
)
from dpframe.proof.theorems.declaring import DECLARATIONS, Declaration, Slot, citing
from dpframe.proof.theorems.mechanisms import (
    gaussian_tail,
    histogram_threshold,
    laplace_tail,
    truncated_laplace_bound,
)

__all__ = [
    "BY_RULE",
    "DECLARATIONS",
    "MOST_ALLOCATIONS",
    "THEOREMS",
    "Declaration",
    "Metrics",
    "Params",
    "Slot",
    "Theorem",
    "allocations",
    "citing",
    "composition",
    "find",
    "fixed_total",
    "gaussian_tail",
    "histogram_threshold",
    "in_view",
    "laplace_tail",
    "mechanisms",
    "number",
    "own",
    "queries",
    "rows",
    "spread",
    "theorem",
    "truncated_laplace_bound",
    "up",
    "whole",
]
