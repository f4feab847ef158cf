"""Queries: private values to private values, with their sensitivity."""

from __future__ import annotations

from dpframe.proof.spaces import L1, L2, Counts, LInf
from dpframe.proof.theorems.base import Metrics, Params, find, theorem
from dpframe.proof.theorems.declaring import VALUE, Slot, declare
from dpframe.proof.theorems.shaping.base import extremum, groups_of, keeps, told


@theorem("lipschitz_scores", "query", "docs/theory/notation.md#lipschitz")
def _lipschitz_scores(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """Capping, min, max, negation and shifts by constants are 1-Lipschitz in ℓ∞."""
    bound = max(find(m, LInf).bound for m in inputs)
    return (LInf(bound), L1(bound), L2(bound)) if params.get("scalar") else (LInf(bound),)


declare("cap", "query", "lipschitz_scores", (VALUE,), keeps(Counts), parameters="t")
declare("minimum", "query", "lipschitz_scores", (Slot("values", variadic=True),), extremum, tells=told(scalar=True))
declare("maximum", "query", "lipschitz_scores", (Slot("values", variadic=True),), extremum, tells=told(scalar=True))
declare("group_maximum", "query", "lipschitz_scores", (VALUE,), groups_of, parameters="groups")
