"""A session: one table, one budget, one ledger; every plan that runs in it is entered before its first row."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Self

from dpframe.errors import DataError, PlanError, SpecError
from dpframe.front.ledger.booking import Booking
from dpframe.front.ledger.state import Entry
from dpframe.front.ledger.store import Ledger, LedgerError, create_ledger, open_ledger
from dpframe.planning.plan import Plan, check_budget
from dpframe.planning.results import RunResult, run_plan
from dpframe.proof.losses import Budget
from dpframe.proof.spaces import Adjacency, Kind
from dpframe.proof.spaces import adjacency as find_adjacency
from dpframe.runtime.gate import admit
from dpframe.runtime.sources import in_memory
from dpframe.shown import cut, numbers, safe, table, total


class Session:
    """Many plans on one table within one budget, each of which may be chosen after seeing the results of the last.

    Parameters
    ----------
    table : array, data frame or path
        The private table.
    budget : Budget
        What all plans may cost together. None takes that of an existing ledger.
    ledger : str or Path, optional
        A SQLite file: an existing ledger, or one that is made. Without it the ledger lives as long as the session.
    adjacency : Adjacency or str, optional
        Without it, that of the first plan: every plan must have the same.
    name : str, optional
        What the table is called in the ledger; of a new one the file name of `table`, or ``table``.
    own_delta : float, optional
        Of a new (ε, δ) ledger: the part of δ kept for mechanisms with a δ of their own.
    columns : sequence, optional
        Columns to use, for every plan.

    Raises
    ------
    LedgerError
        For a file that is no ledger.
    SpecError
        For a ledger of another table, budget or adjacency.

    Notes
    -----
    *Formal guarantees.* Everything that the session's plans release, together with everything else that is in the
    ledger, is within the budget under the adjacency (``docs/theory/ledger.md``), if all runs on the table are in it.

    Examples
    --------
    >>> import numpy as np
    >>> import dpframe as dp
    >>> @dp.program
    ... def mean(x):
    ...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=3.0))
    ...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))
    >>> rows = np.random.default_rng(0).normal(size=(1000, 2))
    >>> session = dp.Session(rows, dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan = dp.plan(mean, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(0.7, 1e-6))
    >>> session.run(plan)["mean"].shape
    (2,)
    >>> round(session.spent["epsilon"], 2)
    0.7
    >>> session.run(plan)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    dpframe.errors.BudgetError: the plan does not fit the ledger of table 'table': ...
    """

    def __init__(
        self,
        table: Any,
        budget: Budget | None = None,
        *,
        ledger: str | Path | None = None,
        adjacency: Adjacency | str | None = None,
        name: str | None = None,
        own_delta: float | None = None,
        columns: Any = None,
    ) -> None:
        self._table, self._columns = in_memory(table), columns
        relation = None if adjacency is None else find_adjacency(adjacency)
        if budget is not None:
            check_budget(budget)
        self.ledger = _ledger(table, budget, ledger, relation, name, own_delta)
        _same(self.ledger, budget, relation, name)

    def __repr__(self) -> str:
        state = self.ledger.read()
        return f"<Session of {state.table!r}: spent {state.spent}, {len(state.entries)} entries>"

    def __deepcopy__(self, memo: Any) -> Self:
        """Itself: neither the table nor what is booked is there twice."""
        return self

    def __copy__(self) -> Self:
        return self

    def __reduce__(self) -> Any:
        raise SpecError("a session holds its table, and is not written", fix="give the path of its ledger: ledger=PATH")

    def _repr_html_(self) -> str:
        """The same with what remains and every entry, for a notebook."""
        state = self.ledger.read()
        rows = [(e.started, e.spec, e.status, total(e.loss), e.out or "") for e in state.entries]
        entries = table(
            ("started", "what", "status", "loss", "files"), [[cut(cell, 200) for cell in row] for row in rows]
        )
        return f"<pre>{safe(repr(self))}\nremaining: {safe(numbers(state.remaining.items()))}</pre>{entries}"

    def run(
        self, plan: Plan, *, simulate: int | None = None, name: str = "program", on: Any = None, **public: Any
    ) -> RunResult:
        """Run a plan on the session's table.

        Parameters
        ----------
        plan : Plan
        simulate : int, optional
            Seed of the noise: no release, and booked all the same.
        name : str
            What the ledger calls the run.
        **public
            Public tables by input name.

        Returns
        -------
        RunResult
            ``failed`` has spent too.

        Raises
        ------
        BudgetError, PlanError, LedgerError, DataError
            Refused; nothing was spent or read.
        """
        given: object = plan
        if not isinstance(given, Plan):
            what = f"a session runs a plan, not a {type(given).__name__}"
            raise PlanError(what, fix="plan it first: dp.plan(program, x=dp.rows(...), ...)")
        called: object = name
        if not isinstance(called, str) or not called.isprintable():
            raise SpecError(f"a ledger calls a run by a printable text, not {name!r}", fix='give name="means", say')
        admitted = admit(plan, simulated=simulate is not None)
        private = next((i.name for i in admitted.graph.inputs if i.kind is Kind.PRIVATE), None)
        if private is None:
            raise PlanError("the plan reads no private table", fix="run it by itself: it spends nothing")
        if private in public:  # it would be read in place of the table that the ledger is of
            raise DataError(f"a session runs plans on its own table, and {private!r} is given", fix="leave it out")
        booking = Booking(self.ledger, admitted, name)
        booking.check()
        tables = {private: self._table, **public}
        chosen = plan.columns or self._columns
        result = run_plan(admitted, tables, simulate=simulate, columns=chosen, reserved=booking.enter, on=on)
        booking.settle(result.status)
        return result

    @property
    def spent(self) -> dict[str, float]:
        """What all entries amount to, in the terms of the budget: book-keeping; the guarantee is the budget."""
        return self.ledger.read().spent

    @property
    def remaining(self) -> dict[str, float]:
        """What still fits, as a plan of Gaussian noise alone."""
        return self.ledger.read().remaining

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every run so far, those of other sessions and of the command line included."""
        return self.ledger.read().entries


def _ledger(
    table: Any,
    budget: Budget | None,
    path: str | Path | None,
    adjacency: Adjacency | None,
    name: str | None,
    own_delta: float | None,
) -> Ledger:
    given: object = path
    if path is not None and (not isinstance(given, (str, os.PathLike)) or Path(path).exists()):
        return open_ledger(path)
    if budget is None:
        raise SpecError("a new ledger needs a budget", fix="give budget=dp.approx_dp(epsilon=..., delta=...)")
    called = name or (Path(table).name if isinstance(table, (str, os.PathLike)) else "table")
    try:
        return create_ledger(path, table=called, budget=budget, adjacency=adjacency, own_delta=own_delta)
    except LedgerError:
        if path is not None and Path(path).exists():  # another process was first
            return open_ledger(path)
        raise


def _same(ledger: Ledger, budget: Budget | None, adjacency: Adjacency | None, name: str | None) -> None:
    """An existing ledger must be the one that is meant."""
    state = ledger.read()
    if name is not None and name != state.table:
        raise SpecError(f"the ledger is of table {state.table!r}, not {name!r}", fix="one ledger is for one table")
    if budget is not None and budget != state.filter.budget:
        raise SpecError(
            f"the ledger's budget is {state.filter.budget}, not {budget}", fix="leave the budget out, or give that one"
        )
    counted = state.adjacency
    if adjacency is not None and counted is not None and not counted.covers(adjacency):
        raise SpecError(f"the ledger counts under {counted.words}", fix=f"plan under {counted.words}")
