"""Operations of a plugin's own: what the kernel enforces of them, and how a plugin's claims enter a proof.

Nothing of a plugin is imported here. Of an *enforced* operation the bound is proved whatever the plugin's code does,
but for the hypothesis listed. Of an *asserted* one the rule is handed what the plugin says for the very metrics that
are met (``claims``), written down in the certificate, and adds what the kernel does to the value afterwards.
Proofs: ``docs/theory/own.md``.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.losses import Loss, loss_from_json
from dpframe.proof.spaces import L1, L2, Array, Counts, Domain, Edits, Index, LInf, OneOf, Table, Vector
from dpframe.proof.theorems.base import Metrics, Params, find, number, theorem, up, whole
from dpframe.proof.theorems.composition import cite
from dpframe.proof.theorems.declaring import ANY, ROWS, VALUE, Domains, Slot, declare, declare_statistic, free
from dpframe.proof.theorems.shaping import rows
from dpframe.proof.theorems.shaping.base import domain_in, is_kind, shape_of, table_rows

NORMS = ("l1", "l2", "linf")
VALUES, RELEASED = (Vector, Counts, Array), (Vector, Counts, Array, Index)
"""What an own value may be before, and after its release."""
OWN = "of settings plugin assumes"
"""Who it is: registered name, its parameters as JSON text, digest of its plugin, further hypotheses."""
MORE = free("parameters", variadic=True)


def given(params: Params, kinds: tuple[type[Domain], ...] = VALUES) -> Domain:
    """The domain that an own operation declares, as JSON text."""
    found: Domain = domain_in(params.get("gives"), *kinds)
    return found


def size_of(domain: Domain) -> int:
    """How many numbers a value holds."""
    return math.prod(shape_of(domain))


def _given(params: Params, inputs: Domains) -> Domain:
    table_rows(inputs[0])
    return given(params)


def _times(a: float, b: float) -> float:
    """A product, rounded up where it is not exact."""
    made = a * b
    if math.isinf(made):
        raise PlanError("moves further than a float can say", fix="clip to a smaller bound")
    return made if Fraction(made) == Fraction(a) * Fraction(b) else up(made)


def _root(n: int) -> float:
    """A square root, rounded up where it is not exact."""
    made = math.sqrt(n)
    return made if made * made == n and made.is_integer() else up(made)


@theorem(
    "own_contribution",
    "sensitivity",
    "docs/theory/own.md#contributions",
    ("the contribution of {of} to a row is a function of that row and of released values alone",),
)
def _own_contribution(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A sum of contributions, each clipped to norm B and put on a lattice inside it, moves by at most (r + a)·B.

    Where contributions are made non-negative as well, inner products are: in ℓ₂ it moves by at most √(r² + a²)·B, in a
    coordinate by at most max(r, a)·B.
    """
    return of_contributions(params, inputs)


def of_contributions(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """How far a sum of clipped contributions moves."""
    e, p, bound = find(inputs[0], Edits), whole(params, "p"), number(params, "bound")
    total, larger = float(e.total), float(max(e.removed, e.added))
    one_sided, norm = params.get("nonnegative") is True, params.get("norm")
    l2, linf = _root(e.removed**2 + e.added**2) if one_sided else total, larger if one_sided else total
    if norm == "l1":
        found = (L1(_times(bound, total)), L2(_times(bound, l2)), LInf(_times(bound, linf)))
    elif norm == "l2":
        found = (L1(_times(_times(bound, _root(p)), total)), L2(_times(bound, l2)), LInf(_times(bound, linf)))
    elif norm == "linf":
        wide = _times(_times(bound, _root(p)), linf)
        found = (L1(_times(_times(bound, float(p)), linf)), L2(wide), LInf(_times(bound, linf)))
    else:
        raise PlanError(f"clips to one of the norms {', '.join(NORMS)}, not {norm!r}", fix='use norm="l2"')
    return found


def _sized(params: Params, inputs: Domains) -> dict[str, Any]:
    return {**params, "p": size_of(given(params))}


declare_statistic(
    "own_contribution",
    "own_contribution",
    _given,
    MORE,
    parameters=f"{OWN} gives norm bound nonnegative bits",
    tells=_sized,
)


def claimed(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """What the plugin says of its value, widened by what rounding to the lattice of step 2^−bits may add.

    Rounding to the nearest moves the distance of two numbers by at most one step. Whole numbers, of which there are
    no others with ``bits`` 0, are not moved: there a claim is of them, and one between 0 and 1 can't be.
    """
    claims, bits, p = params.get("claims"), whole(params, "bits", low=0), size_of(given(params))
    if claims is None:
        raise PlanError("is asserted by a plugin, and nothing is written down of it", fix="list what it claims")
    step = math.ldexp(1.0, -bits) if bits else 0.0
    if not claims:
        raise PlanError("claims no distance", fix="let its sensitivity give l1, l2 or linf")
    return tuple(_widened(metric, step, p) for metric in claims)


def _widened(metric: Any, step: float, p: int) -> Any:
    grown = {L1: p * step, L2: up(math.sqrt(p)) * step, LInf: step}
    if type(metric) in grown:
        if step:
            return type(metric)(up(metric.bound + up(grown[type(metric)])))
        if 0 < metric.bound < 1:
            raise PlanError(
                f"claims {metric}, which is no distance of whole numbers, and with bits=0 it gives whole numbers",
                fix="give bits=20, or claim the distance of the whole numbers, 1 at least",
            )
        return metric
    raise PlanError(f"claims a distance that own values do not have, {metric}", fix="claim l1, l2 or linf")


@theorem(
    "own_statistic",
    "sensitivity",
    "docs/theory/own.md#claims",
    ("the sensitivity of {of} is what its plugin says",),
    claimed=True,
)
def _own_statistic(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A plugin's function of the multiset of rows moves by what the plugin says for these edits."""
    find(inputs[0], Edits)
    return claimed(params, inputs)


declare_statistic("own_statistic", "own_statistic", _given, MORE, parameters=f"{OWN} gives bits")


@theorem(
    "own_query",
    "query",
    "docs/theory/own.md#claims",
    ("the sensitivity of {of} is what its plugin says",),
    claimed=True,
)
def _own_query(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """A plugin's function of private values moves by what the plugin says for these distances."""
    if any(isinstance(metric, (Edits, OneOf)) for metrics in inputs for metric in metrics):
        raise PlanError("takes private numbers, not rows or results of blocks", fix="give it a statistic of them")
    return claimed(params, inputs)


def _asked(params: Params, inputs: Domains) -> Domain:
    is_kind(inputs[0], *VALUES)
    return given(params)


declare(
    "own_query", "query", "own_query", (VALUE, Slot("more", ANY, variadic=True)), _asked, parameters=f"{OWN} gives bits"
)


@theorem(
    "own_transform",
    "stability",
    "docs/theory/notation.md#row-maps",
    ("the image of a row under {of} is a function of that row and of released values alone",),
)
def _own_transform(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """As row_map, for a plugin's own vectorised function: that it treats rows one by one is its word."""
    return (find(inputs[0], Edits),)


declare("own_transform", "transform", "own_transform", (ROWS, MORE), rows.row_map, parameters=f"{OWN} p")


cite(
    "own_partition",
    "docs/theory/own.md#rules",
    "As rule_partition, for a plugin's own rule: each row goes to the part that the rule names, or to none.",
    "the part of a row under {of} is a function of that row and of released values alone",
)
declare(
    "own_partition",
    "partition",
    "own_partition",
    (ROWS, MORE),
    rows.table,
    parameters=f"{OWN} count",
    parts=lambda params: whole(params, "count"),
)


@theorem("all_rows", "sensitivity", "docs/theory/own.md#rows")
def _all_rows(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    """The multiset of non-empty rows as one private value: neighbours differ by the same edits, without an index."""
    e = find(inputs[0], Edits)
    return (Edits(e.removed, e.added, indexed=False),)


declare_statistic("all_rows", "all_rows", lambda params, inputs: Table(table_rows(inputs[0]).d))


@theorem(
    "own_mechanism",
    "loss",
    "docs/theory/own.md#claims",
    ("the privacy loss of {of} is what its plugin says",),
    claimed=True,
)
def _own_mechanism(params: Params, inputs: tuple[Metrics, ...]) -> Loss:
    """A plugin's mechanism costs what the plugin says for this noise at these metrics."""
    claim = params.get("claims")
    if claim is None:
        raise PlanError("is asserted by a plugin, and no loss is written down for these metrics", fix="list its loss")
    return claim if isinstance(claim, Loss) else loss_from_json(claim)


def _released(params: Params, inputs: Domains) -> Domain:
    is_kind(inputs[0], *VALUES, Table)
    return given(params, RELEASED)


declare(
    "own_mechanism",
    "mechanism",
    "own_mechanism",
    (VALUE,),
    _released,
    parameters=f"share noise_multiplier {OWN} gives",
    calibration="scale",
)
