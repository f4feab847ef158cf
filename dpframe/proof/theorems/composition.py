"""Rules of composition, cited by partitions, control nodes and post-processing.

They have no rule of one node: the planner and the verifier each traverse the graph with them.
Proofs: ``docs/theory/composition.md``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.losses import ZERO, BoundedRange, Concentrated, Event, Gaussian, Loss, Pure, Worst, compose, worst
from dpframe.proof.spaces import Domain, Edits, Flag, ListOf, Record
from dpframe.proof.theorems.base import THEOREMS, Metrics, Params, Theorem, up, whole
from dpframe.proof.theorems.declaring import ANY, ROWS, Domains, Released, Shape, Slot, declare, free
from dpframe.proof.theorems.shaping import rows

Core = tuple[tuple[Event, int], ...]
SLACK = 1 + 2.0**-45
"""Covers the rounding of the noise parameters of the items, a few units in the last place each."""


def _structural(params: Params, inputs: tuple[Metrics, ...]) -> Metrics:
    raise PlanError("is a rule of composition, not of one node")


def cite(name: str, source: str, statement: str, *hypotheses: str) -> None:
    """State a rule of composition."""
    THEOREMS[name] = Theorem(name, "composition", statement, source, _structural, hypotheses)


def _parts_by_index(params: Params) -> int:
    """Parts cut by index: equal ones, or with a weight each."""
    count, weights = whole(params, "count"), params["weights"]
    if not isinstance(weights, (list, tuple)) or len(weights) not in (0, count):
        raise PlanError(f"weights must be none or {count} whole numbers, not {weights!r}", fix="give a weight a part")
    for weight in weights:
        whole({"weights": weight}, "weights")
    return count


def _partition(
    name: str, theorem: str, takes: tuple[Slot, ...], shape: Shape, parts: Callable[[Params], int], **more: Any
) -> None:
    declare(name, "partition", theorem, takes, shape, parts=parts, **more)


cite("post_processing", "Dwork, Roth 2014", "A function of released values costs nothing.")
cite(
    "index_partition",
    "docs/theory/notation.md#fixed-split",
    "Parts cut from the original row index under replace-one: both edits carry one index, the max over parts. The "
    "order of the rows is assumed not to depend on private values.",
)
cite(
    "rule_partition",
    "docs/theory/notation.md#parts",
    "Parts by a released or public rule: the worst way in which edits fall into them, composed; of one replaced row "
    "(1,1) in one part, or (1,0), (0,1) in two.",
)
cite(
    "secret_labels",
    "docs/theory/notation.md#fixed-split",
    "Rows labelled secretly and independently: as a rule partition, for labels never published.",
    "the labels are never released",
)
cite(
    "secret_sample",
    "Balle, Barthe, Gaboardi 2018; docs/theory/corrections.md#t9",
    "A secret Poisson sample: ε becomes ln(1 + p(e^ε − 1)) and δ becomes pδ, once for all that runs on it.",
    "the sample's membership and size are never released",
)
BY_RULE = ("rule_partition", "own_partition")
"""Theorems of partitions in which the part of a row is a function of that row and of what was released."""
MOST_ALLOCATIONS, MOST_EDITED = 1200, 450
"""Ways in which edits fall into parts (six rows that are replaced, twenty that come or go), and edits of one part."""
Edited = tuple[int, int]
"""Rows taken out of a part, and put in."""


def allocations(removed: int, added: int, parts: int) -> list[tuple[Edited, ...]]:
    """The ways in which edits fall into at most so many parts, whichever parts these are.

    Raises
    ------
    PlanError
        Where there are too many.

    Examples
    --------
    >>> allocations(1, 1, 2)
    [((1, 1),), ((1, 0), (0, 1))]
    """
    found: list[tuple[Edited, ...]] = []
    many = PlanError(
        f"{removed} rows taken out and {added} put in fall into {parts} parts in too many ways to price",
        fix="let fewer rows of each unit count (a smaller unit_rows), or plan without a unit",
    )
    if (removed + 1) * (added + 1) > MOST_EDITED:
        raise many

    def fill(left: Edited, most: Edited, chosen: tuple[Edited, ...]) -> None:
        if left == (0, 0):
            found.append(chosen)
            if len(found) > MOST_ALLOCATIONS:
                raise many
            return
        last = len(chosen) == parts - 1
        for one in [left] if last else itertools.product(range(left[0], -1, -1), range(left[1], -1, -1)):
            if (0, 0) < one <= most:
                fill((left[0] - one[0], left[1] - one[1]), one, (*chosen, one))

    fill((removed, added), (removed, added), ())
    return found


def spread(edits: Edits, parts: int, part: Callable[[int, Edits], Loss]) -> Loss:
    """Edits of several rows in parts by a rule: the worst allocation, each part taken at the cost of the worst part.

    Proof: ``docs/theory/composition.md``, 3.5. ``part(i, e)`` is what part i costs under edits e.
    """
    if not parts:
        return ZERO
    ways = allocations(edits.removed, edits.added, parts)
    cost = {(0, 0): ZERO}
    for removed, added in itertools.product(range(edits.removed + 1), range(edits.added + 1)):
        if removed or added:
            here = Edits(removed, added, indexed=False)
            fewer = [cost[e] for e in ((removed - 1, added), (removed, added - 1)) if e in cost]
            cost[removed, added] = worst(*(part(i, here) for i in range(parts)), *fewer)
    return worst(*(compose(*(cost[one] for one in way)) for way in ways))


MAP = free("map", optional=True)
_partition(
    "split", "index_partition", (ROWS,), rows.table, _parts_by_index, parameters="count seed weights", public_n=True
)
_partition("filter_ball", "rule_partition", (ROWS, free("ball"), MAP), rows.in_ball, lambda p: 2)
_partition(
    "partition_balls",
    "rule_partition",
    (ROWS, free("balls"), MAP),
    rows.in_balls,
    lambda p: whole(p, "balls") + 1,
    parameters="balls",
)
_partition(
    "partition_nearest",
    "rule_partition",
    (ROWS, free("points")),
    rows.nearest,
    lambda p: whole(p, "centres"),
    parameters="centres",
)
_partition("partition_halfspace", "rule_partition", (ROWS, free("map")), rows.halfspace, lambda p: 2)
_partition(
    "secret_split", "secret_labels", (ROWS,), rows.table, lambda p: whole(p, "count"), parameters="count", draws=True
)
_partition("subsample", "secret_sample", (ROWS,), rows.table, lambda p: 1, parameters="rate", draws=True)
cite(
    "branch",
    "docs/theory/composition.md#4-branches-and-values-that-rest-on-a-test",
    "A released test chooses a body: the worst of the two.",
)
cite(
    "for_each",
    "docs/theory/composition.md#5-a-loop-with-a-fixed-total",
    "A fixed total shared by the released number of items is charged once.",
)
cite(
    "division",
    "docs/theory/composition.md#6-divisions",
    "A shared prefix and then two diverging paths: V11(D) = c11 + max(V11(D-1), V10(D-1) + V01(D-1)).",
)
cite(
    "categories",
    "docs/theory/composition.md#8-a-table-for-each-category",
    "A table of its own for each declared category: under replace-one two of them change, each in one row; else one.",
)


def _one_value(released: Released, *labels: str) -> None:
    for label in labels:
        names = list(released[label])
        if len(names) != 1:
            raise PlanError(
                f"takes a body {label!r} that releases one value, not {', '.join(names) or 'none'}",
                fix="return one of them",
            )


def _by_test(domain: Domain, what: str) -> None:
    if not isinstance(domain, Flag):
        raise PlanError(f"takes the outcome of a released test as {what}, not {domain}", fix="give it such an outcome")


def _branch_bodies(inputs: Domains, released: Released) -> None:
    _by_test(inputs[0], "test")
    _one_value(released, "then", "otherwise")


def _loop_body(inputs: Domains, released: Released) -> None:
    _one_value(released, "body")


def _division_bodies(inputs: Domains, released: Released) -> None:
    _one_value(released, "leaf")
    body = released["body"]
    if set(body) != {"split", "left", "right"}:
        raise PlanError(
            f"takes a body that releases split, left and right, not {', '.join(body)}",
            fix="return {'split': ..., 'left': ..., 'right': ...}",
        )
    _by_test(body["split"], "split")
    for side in ("left", "right"):
        if body[side] != inputs[1]:
            raise PlanError(
                f"takes a body whose {side!r} is a state like its own, {inputs[1]}, not {body[side]}",
                fix="give the children a state of the same domain",
            )


def _branch(params: Params, inputs: Domains) -> Domain:
    if inputs[0] != inputs[1]:
        raise PlanError(
            f"has bodies that release different domains, {inputs[0]} and {inputs[1]}",
            fix="let both return the same kind of value",
        )
    return inputs[0]


def _item(domain: Domain) -> Domain:
    if not isinstance(domain, ListOf):
        raise PlanError(f"for_each takes a released list, not {domain}", fix="give it a list")
    return domain.item


_CAPTURED = Slot("captured", ANY, variadic=True)
declare(
    "branch",
    "control",
    "branch",
    (free("test"), _CAPTURED),
    _branch,
    bodies="then otherwise",
    check_bodies=_branch_bodies,
    decides=True,
)
declare(
    "for_each",
    "control",
    "for_each",
    (free("items"), _CAPTURED),
    lambda params, released: ListOf(released[0], whole(params, "max_length")),
    parameters="share view max_length",
    bodies="body",
    check_bodies=_loop_body,
    hands=_item,
)
declare(
    "by_category",
    "control",
    "categories",
    (ROWS, free("captured", variadic=True)),
    lambda params, released: ListOf(Record("category"), whole(params, "categories")),
    parameters="categories",
    bodies="body",
    hands=rows.featured,
    own_rows="table",
)
for _name in ("recurse", "worklist"):
    declare(
        _name,
        "control",
        "division",
        (ROWS, free("state"), free("captured", variadic=True)),
        lambda params, released: ListOf(released[1], whole(params, "max_leaves")),
        parameters="max_depth max_leaves",
        bodies="body leaf",
        check_bodies=_division_bodies,
    )


def fixed_total(loss: Loss, view: str) -> Loss:
    """One event that covers any released number L of bodies, each at a share 1/L of the body's ρ and δ.

    ``loss`` is the body's loss when there is one item. At a share 1/L of ρ a Gaussian's μ becomes μ/√L and a
    zCDP-only event's ρ becomes ρ/L, so their totals do not depend on L. A pure ε becomes ε/√L, and its other views
    are not quadratic in ε: L·ρ(ε/√L) grows with L up to ε²/2 (a bounded range: ε²/8) and √L·μ(ε/√L) up to
    ε·√(π/2) (a bounded range: half of it). These limits are charged (``docs/theory/composition.md``, 5). In the
    view ``pure`` an item runs at ε/L.

    Parameters
    ----------
    loss : Loss
    view : {"gdp", "zcdp", "pure"}

    Returns
    -------
    Loss
        One event and the body's δ.

    Raises
    ------
    PlanError
        When an event has no bound in the view, or the view is unknown.

    Examples
    --------
    >>> fixed_total(Loss.of(Pure(2.0)), "zcdp").rho >= 2.0
    True
    """
    total, delta = in_view(loss, view)
    return Loss(((_VIEWS[view][1](total),) if loss.events else ()), delta * SLACK)


def in_view(loss: Loss, view: str) -> tuple[float, float]:
    """What a loss counts as inside a loop of this view: a number that adds up over releases (μ², ρ or ε), and its δ.

    :func:`fixed_total` charges this number of the body, times ``SLACK``. So as long as the numbers of the items that
    were released add up to no more, and their δ, what was charged covers them (adaptive composition with a filter).

    Raises
    ------
    PlanError
        When an event has no bound in the view, or the view is unknown.
    """
    if view not in _VIEWS:
        raise PlanError(f"unknown view {view!r}", fix=f"use one of {', '.join(_VIEWS)}")
    total = _total(loss.events, _VIEWS[view][0])
    if total == math.inf:
        raise PlanError(f"a mechanism of the body has no finite loss in the view {view!r}", fix="use view='zcdp'")
    return total, loss.delta


def _total(core: Core, value: Callable[[Event], float]) -> float:
    """Sum over a core, rounded up; a worst allocation counts as the most expensive of its alternatives."""
    total = 0.0
    for event, times in core:
        if isinstance(event, Worst):
            one = max(_total(alternative, value) for alternative in event.alternatives)
        else:
            one = value(event) if event.epsilon else 0.0
        total = up(total + up(one * times)) if one else total
    return total


def _square_mu(event: Event) -> float:
    if isinstance(event, Gaussian):
        return _square(event.mu)
    return up(_square(event.epsilon) * (math.pi / (8 if isinstance(event, BoundedRange) else 2)))


def _limit_rho(event: Event) -> float:
    if isinstance(event, (Gaussian, Concentrated)) or math.isinf(event.epsilon):
        return event.rho
    return up(_square(event.epsilon) / (8 if isinstance(event, BoundedRange) else 2))


def _square(value: float) -> float:
    return up(value * value)


_VIEWS: dict[str, tuple[Callable[[Event], float], Callable[[float], Event]]] = {
    "gdp": (_square_mu, lambda total: Gaussian(math.sqrt(total) * SLACK)),
    "zcdp": (_limit_rho, lambda total: Concentrated(total * SLACK)),
    "pure": (lambda event: event.epsilon, lambda total: Pure(total * SLACK)),
}
