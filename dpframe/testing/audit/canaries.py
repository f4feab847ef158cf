"""Canary audits: a plan on the user's own table, with and without rows that were made to be seen.

The neighbour of a table is the same table with canary rows, as many as the plan's adjacency edits; of a plan for units
all slots of one unit are canaries, and a unit comes or goes with them. Several canaries are
tried in a pilot; the one that shows most is attacked with runs of its own, so that the choice costs no confidence.
Every exact statistic of a table is computed once, as far as released values allow (``dpframe.testing.audit.replay``).

What is found depends on the rows. It is for whoever holds the table, and it is no release: thresholds and values of
the simulated runs are left out of what is reported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import DataError, SpecError
from dpframe.front.specs import load_spec, prepare, tables_of
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import Kind
from dpframe.runtime.progress import Progress
from dpframe.runtime.sources import open_slots
from dpframe.testing.audit.plan_audit import (
    RUNS,
    SECONDS,
    claimed_delta,
    effort,
    finding,
    found_difference,
    of_units,
    private_table,
)
from dpframe.testing.audit.replay import Runs, replay
from dpframe.testing.battery.findings import Finding
from dpframe.testing.estimation import ALPHA, TRAINING

Floats = npt.NDArray[np.float64]
CANARIES = 4
FAR = 2.0**60
PILOT = 0.1
"""Share of the runs and of the time that goes to choosing a canary."""


@attrs.frozen(eq=False)
class Canary:
    """What a row is, on one side and on the other.

    Attributes
    ----------
    name : str
    row, counterpart : (d,) float64
        A row of NaN is an empty one. Where the edit only adds or removes rows the counterpart is not used.
    """

    name: str
    row: Floats
    counterpart: Floats


def canaries(d: int, count: int = CANARIES) -> list[Canary]:
    """Rows far out, along each axis and then anywhere, against the opposite row and against an empty one in turn.

    The kernel projects far rows to the promised bound, so that they move every statistic as far as a row can.
    """
    rng = np.random.default_rng(d)
    out = []
    for i in range(count):
        axis = np.eye(d)[i // 2] if i < 2 * d else rng.standard_normal(d)
        row = FAR * axis / np.linalg.norm(axis)
        other, word = (-row, "the opposite") if i % 2 == 0 else (np.full(d, math.nan), "an empty row")
        where = f"axis {i // 2}" if i < 2 * d else f"direction {i // 2 - d}"
        out.append(Canary(f"far along {where}, against {word}", row, other))
    return out


@attrs.define(eq=False)
class _Sides:
    """One table in memory that becomes either side: nothing is copied for a canary."""

    rows: Floats
    n: int
    removed: int
    added: int

    @classmethod
    def of(cls, table: Any, plan: Plan) -> _Sides:
        """The user's table, or the slots of its units; where rows are added it has room for them."""
        if plan.adjacency.unit is None:
            values = np.array(table, dtype=np.float64, ndmin=2)
        else:
            values = in_memory(open_slots(table, plan.adjacency))
        edits = plan.adjacency.edits[0]
        if plan.adjacency.n_is_public:
            if len(values) < edits.removed:
                raise DataError(f"the table has fewer rows than its {edits.removed} canaries")
            return cls(values, len(values), edits.removed, edits.added)
        room = max(edits.removed, edits.added)
        return cls(np.vstack([values, np.zeros((room, values.shape[1]))]), len(values), edits.removed, edits.added)

    def make(self, canary: Canary, side: int, plan: Plan) -> Any:
        """The table of one side, which the next call overwrites."""
        return of_units(self._rows(canary, side, plan), plan.adjacency)

    def _rows(self, canary: Canary, side: int, plan: Plan) -> Floats:
        count, row = (self.removed, canary.row) if side == 0 else (self.added, canary.counterpart)
        if plan.adjacency.n_is_public:
            self.rows[:count] = row
            return self.rows
        self.rows[self.n : self.n + count] = row
        return self.rows[: self.n + count]


def audit_canaries(
    plan: Plan,
    table: Any,
    tried: Sequence[Canary] | None = None,
    *,
    delta: float | None = None,
    runs: int = RUNS,
    seconds: float = SECONDS,
    seed: int = 0,
    alpha: float = ALPHA,
    others: Mapping[str, Any] | None = None,
    what: str = "the plan",
    on: Any = None,
) -> Finding:
    """Lower-bound a plan's ε on a table with canary rows.

    Parameters
    ----------
    plan : Plan
        Under ``Edits(m, m)`` the first m rows are replaced by m copies of the canary; under ``replace_one`` one; under
        ``add_remove`` one row is added to the table. With a unit these are all rows of one unit.
    table : (n, d) array
        In memory; rows of NaN are empty ones. With a unit any table that a run takes.
    tried : sequence of Canary, optional
        By default :func:`canaries`.
    delta : float, optional
        By default the δ of the plan's budget.
    runs : int
        Simulated runs on each side, the pilot's included.
    seconds : float
        Time limit a side.
    others : mapping, optional
        Public tables by name.
    what : str
        What the line on the terminal calls it.
    on : distributed.Client or str, optional
        A cluster that takes the runs' passes and block learners.

    Returns
    -------
    Finding
        Without thresholds: see the module.

    Raises
    ------
    DataError
        When the table is not the plan's.
    """
    name = private_table(plan)
    sides = _Sides.of(table, plan)
    known = list(tried) if tried is not None else canaries(sides.rows.shape[1])
    if not known:
        raise SpecError("there is no canary to try", fix="try one at least")

    watch = Progress(None)
    watch.say(f"auditing {what} on your table, with a canary and without: {effort(runs, seconds)} each")

    def both(canary: Canary, share: float, number: int) -> tuple[Runs, Runs]:
        at = f"canary {number + 1} of {len(known)}" if number < len(known) else "the chosen canary"
        made = (
            replay(
                plan,
                {name: sides.make(canary, side, plan), **(others or {})},
                runs=max(round(runs * share), 10),
                seed=1000 * seed + 2 * number + side,
                seconds=seconds * share,
                on=on,
                tell=lambda _, side=side: watch.show(f"{at}, table {side + 1} of 2 "),  # type: ignore[misc]
            )
            for side in (0, 1)
        )
        return next(made), next(made)

    best, spent = known[0], 0.0
    try:
        if len(known) > 1:
            spent = PILOT
            seen = [shown(*both(canary, PILOT / len(known), i)) for i, canary in enumerate(known)]
            best = known[int(np.argmax(seen))]
        first, second = both(best, 1 - spent, len(known))
    finally:
        watch.end()
    at = claimed_delta(plan) if delta is None else delta
    found = finding(plan, first, second, delta=at, alpha=alpha)
    return attrs.evolve(found, case=best.name, event=found.event.split(" >= ")[0])


def shown(first: Runs, second: Runs) -> float:
    """How far the two sides of a pilot differ in the number that differs most."""
    names = sorted({*first.names, *second.names})
    a, b = (runs.recorder.table(names, runs.count)[:TRAINING] for runs in (first, second))
    return max((found_difference(a[:, i], b[:, i]) for i in range(len(names))), default=0.0)


def audit_table(
    name: str,
    data: Any,
    *,
    public: Any = None,
    changes: Sequence[str] = (),
    count: int = CANARIES,
    **options: Any,
) -> list[Finding]:
    """Audit a spec on a table of the user's with canary rows.

    Parameters
    ----------
    name : str
        Name or path of a spec.
    data, public : path or table
        As for a run.
    changes : sequence of str
        ``key=value``, as ``--set`` takes them.
    count : int
        How many canaries are tried.
    **options
        As for :func:`audit_canaries`.

    Raises
    ------
    DpframeError
        Before anything is run: the spec is refused, or the table is not its.
    """
    from dpframe.runtime.sources import open_source

    spec = load_spec(name, changes)
    tables_of(spec, data, public)
    spec, plan = prepare(spec, data, allow_asserted=True)
    rows = in_memory(open_slots(data, plan.adjacency, columns=spec.columns))
    other = spec.table(Kind.PUBLIC)
    others = {} if other is None else {other: in_memory(open_source(public, columns=spec.columns))}
    found = audit_canaries(
        plan,
        of_units(rows, plan.adjacency),
        canaries(rows.shape[1], count),
        others=others,
        what=f"spec {spec.name}",
        **options,
    )
    return [attrs.evolve(found, subject=f"spec {spec.name}")]


def in_memory(source: Any) -> Floats:
    """All rows of a source; empty ones are NaN."""
    parts = [np.where(chunk.valid[:, None], chunk.values, math.nan) for chunk in source.chunks(2**16)]
    return np.concatenate(parts) if parts else np.zeros((0, source.d))
