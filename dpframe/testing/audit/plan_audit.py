"""Auditing a whole plan: run it many times on two neighbouring tables and attack everything it releases.

The tables are crafted (a row at one end of the promised ball against the other end, see :func:`crafted`), or the user's
own with a canary (:mod:`dpframe.testing.audit.canaries`). Runs are simulated, and cost little where their exact values
repeat (:mod:`dpframe.testing.audit.replay`). What is found is a lower bound of the plan's true ε.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import PlanError
from dpframe.front.specs import Spec, load_spec
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import ADJACENCIES, Adjacency, Kind
from dpframe.runtime.progress import Progress
from dpframe.runtime.sources import ByUnit, Values
from dpframe.testing.audit.replay import LEAST, Runs, replay
from dpframe.testing.battery.findings import Finding
from dpframe.testing.estimation import ALPHA, TRAINING, lower_bounds
from dpframe.testing.limits import epsilon_bound

Floats = npt.NDArray[np.float64]
RUNS = 20_000
SECONDS = 60.0
MOST_FEATURES = 24
FIRST_ID = 10**12
"""Of crafted units: their ids are numbers of as many digits, so that they are in the order of their bytes."""
SMALL = {"n": 400, "d": 2, "k": 2, "bound": 10.0, "epsilon": 1.0, "delta": 1e-2}
"""Values of keys that a spec leaves open: an audit is sharpest on a small table."""


def crafted(n: int, d: int, bound: float, relation: Adjacency = ADJACENCIES["replace_one"]) -> tuple[Any, Any]:
    """Two neighbouring tables: the first row, or all rows of the first unit, at one end of a ball and at the other.

    Under add/remove the second table is without them.
    """
    first = np.zeros((n, d))
    first[n // 2 :, 0] = bound / 2
    second = first.copy()
    each = relation.unit_rows
    first[:each, 0], second[:each, 0] = bound, -bound
    if relation.n_is_public:
        return of_units(first, relation), of_units(second, relation)
    ids = of_units(first, relation)
    return ids, second[each:] if relation.unit is None else ByUnit(Values(ids.ids.values[each:]), second[each:])


def private_table(plan: Plan) -> str:
    """The name of the plan's one private table.

    Raises
    ------
    PlanError
        When it has none, or several.
    """
    names = [i.name for i in plan.graph.inputs if i.kind is Kind.PRIVATE]
    if len(names) != 1:
        raise PlanError(f"an audit is of one private table, the plan has {len(names)}", fix="audit a smaller plan")
    return names[0]


def of_units(rows: Floats, relation: Adjacency) -> Any:
    """The table as a run under the relation takes it: where it is of units, each so many rows in a row are one's."""
    if relation.unit is None:
        return rows
    return ByUnit(Values(FIRST_ID + np.arange(len(rows)) // relation.unit_rows), rows)


def audit_plan(
    plan: Plan,
    first: Any,
    second: Any,
    *,
    runs: int = RUNS,
    seed: int = 0,
    delta: float,
    seconds: float = SECONDS,
    alpha: float = ALPHA,
    others: Mapping[str, Any] | None = None,
    what: str = "the whole plan",
    on: Any = None,
) -> Finding:
    """Lower-bound the whole plan's ε at ``delta`` on two neighbouring tables.

    Parameters
    ----------
    plan : Plan
    first, second : (n, d) float64
        Neighbours under the plan's adjacency.
    runs : int
        Simulated runs on each.
    seconds : float
        Time limit a side.
    alpha : float
        False-alarm rate.
    others : mapping, optional
        Public tables by name.
    what : str
        What the line on the terminal calls it.
    on : distributed.Client or str, optional
        A cluster that takes the runs' passes and block learners: the same finding, were there no time limit.
    """
    name, watch = private_table(plan), Progress(None)
    watch.say(f"auditing {what} on two neighbouring tables: {effort(runs, seconds)} each")

    def made(side: int, table: Any) -> Runs:
        def tell(number: int) -> None:
            watch.show(f"table {side + 1} of 2, run {number} ")

        tables = {name: table, **(others or {})}
        return replay(plan, tables, runs=runs, seed=2 * seed + side, seconds=seconds, tell=tell, on=on)

    try:
        a, b = made(0, first), made(1, second)
    finally:
        watch.end()
    return finding(plan, a, b, delta=delta, alpha=alpha)


def effort(runs: int, seconds: float) -> str:
    """How many runs are made, in words."""
    return f"up to {runs:,} simulated runs, begun within {seconds:g} s ({min(LEAST, runs)} at least)"


def expected(delta: float, runs: int, alpha: float) -> str:
    """Why a plan in which nothing was found is no surprise, and what these runs could have shown at most."""
    half = runs - min(runs // 2, TRAINING)
    most = float(epsilon_bound(half, 0, (half, half), delta, alpha / 2))
    shown = f"epsilon={most:.1f} at most, and only of an event that tells the tables apart in every run"
    return (
        "0 found is expected of a whole plan with few runs: its loss is spread over all that it releases, and "
        f"{runs:,} runs on a table can show {shown if most > 0 else 'nothing at all'}. It says nothing for or against "
        "the claim. More runs: --runs, --seconds; each mechanism by itself: dpframe audit gaussian"
    )


SAME = (
    "every run released the same on both tables, so there was nothing to compare: at these sizes the plan may always "
    "end without a result. It says nothing for or against the claim. Larger: --set epsilon=..., on "
    "crafted tables --set n=..."
)


def finding(plan: Plan, first: Runs, second: Runs, *, delta: float, alpha: float = ALPHA) -> Finding:
    """What two sides' runs show: the event is chosen on one half, and counted on the other."""
    if min(first.count, second.count) < 2:
        raise PlanError("an audit needs two runs on each side at least", fix="use more runs")
    names = sorted({*first.names, *second.names})
    a, b = (runs.recorder.table(names, runs.count) for runs in (first, second))
    kept = telling(a[: min(len(a) // 2, TRAINING)], b[: min(len(b) // 2, TRAINING)])
    claimed = plan.epsilon(delta=delta)
    subject, case, samples = "whole plan", "crafted neighbours", min(len(a), len(b))
    if not kept:
        return Finding(subject, case, delta, claimed, 0.0, "nothing differs", samples, SAME)
    (bound,) = lower_bounds(a[:, kept], b[:, kept], [delta], alpha=alpha)
    event = named(bound.event, [names[i] for i in kept])
    note = "" if bound.epsilon > 0 else expected(delta, samples, alpha)
    return Finding(subject, case, delta, claimed, bound.epsilon, event, samples, note)


def named(event: str, names: Sequence[str]) -> str:
    """An event in the words of the plan."""
    for i in reversed(range(len(names))):
        event = event.replace(f"feature {i} ", f"{names[i]} ")
    return event


def telling(first: Floats, second: Floats, most: int = MOST_FEATURES) -> list[int]:
    """Columns that differ between two samples, those that differ most; of equal columns one."""
    seen: set[bytes] = set()
    scores: list[tuple[float, int]] = []
    for i in range(first.shape[1]):
        a, b = first[:, i], second[:, i]
        mark = a.tobytes() + b.tobytes()
        if mark in seen or (np.all(a == a[0]) and np.all(b == a[0])):
            continue
        seen.add(mark)
        scores.append((found_difference(a, b), i))
    return sorted(i for _, i in sorted(scores, reverse=True)[:most])


def found_difference(a: Floats, b: Floats) -> float:
    """Standardised difference in presence, location or spread."""
    there = np.isfinite(a).mean(), np.isfinite(b).mean()
    presence = abs(there[0] - there[1]) / math.sqrt(max(sum(there) * (2 - sum(there)) / 4, 1.0 / len(a)))
    x, y = a[np.isfinite(a)], b[np.isfinite(b)]
    if min(len(x), len(y)) < 2:
        return float(presence)
    variance = float(x.var() + y.var()) / 2
    moved = max(abs(float(np.median(x) - np.median(y))), abs(float(x.mean() - y.mean())))
    if not variance > 0:
        return math.inf if moved > 0 else float(presence)
    return float(max(presence, moved / math.sqrt(variance), abs(x.var() - y.var()) / variance / 4))


def small_spec(name: str, changes: Sequence[str] = ()) -> Spec:
    """A spec, under replace-one unless the changes say otherwise, with small values for the keys it leaves open."""
    spec = load_spec(name)
    asked = attrs.evolve(spec, columns=None).set(changes)
    known = {**SMALL, "adjacency": "replace_one"}
    usual = ("epsilon", "delta", "adjacency", *(["d"] if spec.d is None and asked.columns is None else []))
    wanted = {k: v for k, v in known.items() if k in spec.keys or k in usual}
    return attrs.evolve(spec, columns=None).set({**wanted, "n": small_rows(asked)}).set(changes)


def small_rows(asked: Spec) -> int:
    """How many rows a crafted table has: as many as are asked for, or few, of whole units."""
    return asked.n or -(-int(SMALL["n"]) // (asked.unit_rows or 1)) * (asked.unit_rows or 1)


def claimed_delta(plan: Plan) -> float:
    """The δ at which a plan is audited: its budget's, or the crafted audit's for budgets that name none."""
    return float(getattr(plan.budget, "delta", 0.0)) or float(SMALL["delta"])


def audit_spec(name: str, *, changes: Sequence[str] = (), **options: Any) -> list[Finding]:
    """Audit a spec on crafted neighbours; keys that it leaves open take small values.

    Parameters
    ----------
    name : str
    changes : sequence of str
        ``key=value``, as ``--set`` takes them.
    **options
        As for :func:`audit_plan`.

    Raises
    ------
    PlanError
        For a spec that is not about one private table.
    """
    spec = small_spec(name, changes)
    n = int(spec.n or 0)
    if not spec.relation.n_is_public:
        spec = spec.set({"n": None})
    plan = spec.plan(allow_asserted=True)
    delta = claimed_delta(plan)
    if spec.table(Kind.PUBLIC) is not None:
        raise PlanError(f"spec {name!r} needs a public table", fix="audit it on tables of yours: --data, --public")
    bound = float(spec.value("bound") if "bound" in spec.keys else SMALL["bound"])
    tables = crafted(n, int(spec.width or 0), bound, spec.relation)
    found = audit_plan(plan, *tables, delta=delta, what=f"spec {spec.name}", **options)
    if not math.isfinite(found.claimed):
        raise PlanError(f"spec {name!r} claims nothing at delta={delta}")
    return [attrs.evolve(found, subject=f"spec {spec.name}")]
