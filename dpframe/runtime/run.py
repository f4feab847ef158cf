"""Running a plan: tables are opened and checked, the reserve is put on record, the graph is evaluated.

From the reserve on nothing is raised: whatever goes wrong in the kernel or in a plugin, a private value may have
decided it, so every error ends in the same ``failed`` result. Only an interruption by the user passes through.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import attrs
import numpy as np

from dpframe.errors import ChangedError, DataError, DpframeError, nearest
from dpframe.kernel.post_processing import Failed, Quality
from dpframe.kernel.quality import FAILED, quality_of
from dpframe.kernel.silence import silent
from dpframe.proof.checker import Checked
from dpframe.proof.spaces import Kind, Rows
from dpframe.proof.typed import Input, Ref
from dpframe.proof.typed import Path as NodePath
from dpframe.runtime import gate
from dpframe.runtime.cluster import Pool, joined
from dpframe.runtime.control import counted
from dpframe.runtime.engine import Scope, reads_once
from dpframe.runtime.gate import Admitted, Proposal
from dpframe.runtime.guard import Guard
from dpframe.runtime.progress import Call, Progress
from dpframe.runtime.scope import Session, Stop
from dpframe.runtime.sources import open_slots, saying
from dpframe.runtime.threads import keep_memory
from dpframe.runtime.views import SourceTable, View

ENDED = ("an error inside the program ended the run", "--debug shows more, which may quote the table: keep it private")
"""Reason and advice of every failure that is an error, whatever the error: which one it was may be private."""

MISSING_ROWS = "A row with a missing value in any of the columns is empty and counts for nothing; columns=... chooses"


@attrs.frozen(eq=False)
class Ran:
    """What a run ended with: released values, or why there are none, and the proof of what ran.

    Attributes
    ----------
    outputs : dict
        Released values by output name; empty when ``status`` is ``failed``.
    status : {"released", "failed"}
    simulated : bool
        Whether the noise came from a seed; then this is no release.
    reason, advice : str
        For a failed run, from the plan and released values only.
    remarks : tuple of str
        Warnings that post nodes make of what they release.
    columns : tuple of str or int
        What the columns of the private table are called: names, or 0-based positions where it has none.
    quality : Quality
        What the released values say of the outputs: ``verdict`` (good, poor, unchecked) and ``why``.
    judged : mapping
        The verdicts of nodes, by path.
    taken : mapping
        The leaves of every division that was made, and whether a split was tried there.
    rows : float, optional
        The noisy number of complete rows, where the run released one.
    proof : Checked
        The certificate that was checked before the run: what ran.
    """

    plan: Any
    outputs: Mapping[str, Any]
    status: str
    simulated: bool
    reason: str = ""
    advice: str = ""
    remarks: tuple[str, ...] = ()
    columns: tuple[str | int, ...] = ()
    quality: Quality = FAILED
    judged: Mapping[NodePath, Quality] = attrs.field(factory=dict, repr=False)
    taken: Mapping[NodePath, Mapping[NodePath, bool]] = attrs.field(factory=dict, repr=False)
    rows: float | None = attrs.field(default=None, repr=False)
    proof: Checked | None = attrs.field(default=None, repr=False)


@attrs.frozen(eq=False)
class Opened:
    """Tables that passed all checks, ready to run."""

    values: Mapping[Ref, Any]
    sources: tuple[tuple[str, Any, Any], ...]
    columns: tuple[str | int, ...] = ()

    def check_unchanged(self) -> None:
        """Raise :class:`ChangedError` if a file's size or time stamp differs from when it was opened."""
        for _, source, fingerprint in self.sources:
            source.check_unchanged(fingerprint)


def open_tables(
    admitted: Admitted, tables: Mapping[str, Any], *, columns: Any = None, pool: Pool | None = None
) -> Opened:
    """Open and check every table against what was admitted, and ask the workers; nothing is computed from a row.

    Raises
    ------
    DataError
        For a missing or malformed table, a wrong width, a declared n that is not the file's, or workers that differ.
    """
    names = [i.name for i in admitted.graph.inputs]
    _check_names(names, tables)
    values: dict[Ref, Any] = {}
    labels: tuple[str | int, ...] = ()
    sources = []
    keep_memory()
    for item in sorted(admitted.graph.inputs, key=lambda i: i.kind is not Kind.PRIVATE):
        by_name = columns.get(item.name) if isinstance(columns, Mapping) else None
        chosen = _named(by_name) if isinstance(columns, Mapping) else columns
        private, relation = item.kind is Kind.PRIVATE, admitted.checked.adjacency
        if not private and chosen is None:
            chosen = _like_private(labels)
        with saying(f"table {item.name!r}", second=not private) if len(names) > 1 else nullcontext(), silent():
            source = open_slots(tables[item.name], relation if private else None, columns=chosen)
            fingerprint = source.fingerprint()
            if private and pool is not None:
                pool.count(source)
            rows = source.count_rows()
        _check_shape(item, source.d, rows, n_is_public=relation.n_is_public)
        if private:
            fixed = rows if relation.n_is_public else None
            values[Ref(item.name)] = View(SourceTable(source, rows, relation.unit_rows), fixed)
            labels = source.labels if source.named or by_name is None else tuple(by_name)
        else:
            values[Ref(item.name)] = _public_rows(item, source)
        sources.append((item.name, source, fingerprint))
    if pool is not None:
        asked = [view.base.source for view in values.values() if isinstance(view, View)]
        pool.ask(asked, [node.operation for _, node in admitted.graph.walk()])
    return Opened(values, tuple(sources), labels)


def _check_names(names: Sequence[str], tables: Mapping[str, Any]) -> None:
    """Refuse a table that the plan does not have, or that is not given."""
    for name in tables:
        if name not in names:
            hint = nearest(name.lower(), [*names, "simulate"], cutoff=0.0)
            raise DataError(f"the plan has no table {name!r}", fix=f"{hint} It has {', '.join(names)}")
    for name in names:
        if name not in tables:
            raise DataError(f"table {name!r} is missing", fix=f"pass {name}=...")


def _named(names: Sequence[str] | None) -> Any:
    """Choose the columns of these names; of a table without names all columns, where there are as many."""
    if names is None:
        return None
    return lambda known, named: names if named or len(known) != len(names) else None


def _like_private(labels: Sequence[str | int]) -> Any:
    """Choose the columns that the private table has, where a public one names them all, in any order; else all."""
    return lambda known, named: labels if named and set(labels) <= set(known) else None


def _public_rows(item: Input, source: Any) -> Any:
    """All rows of a public table, which holds numbers only."""
    chunks = list(source.chunks(2**16))
    missing = sum(int(np.count_nonzero(~chunk.valid)) for chunk in chunks)
    if missing:
        raise DataError(
            f"{missing} rows of the public table {item.name!r} have a missing or infinite value", fix="leave them out"
        )
    return np.concatenate([chunk.values for chunk in chunks]) if chunks else np.zeros((0, source.d))


def _check_shape(item: Input, d: int, rows: int, *, n_is_public: bool) -> None:
    name, domain, n = item.name, item.domain, item.n
    if isinstance(domain, Rows) and domain.d != d:
        fitting = f"give a table with {domain.d}, or plan for d = {d}"
        if d > domain.d:  # a plan may be for no other number
            fitting = f"name {domain.d} of them, on the command line by --set columns=..."
        raise DataError(f"table {name!r} has {d} columns, the plan is for d = {domain.d}", fix=fitting)
    if n_is_public and n is not None and n != rows:
        raise DataError(f"table {name!r} does not have the declared n = {n} rows", fix=f"declare its own, n = {rows}")


def run_plan(
    plan: Proposal | Admitted,
    tables: Mapping[str, Any],
    *,
    simulate: int | None = None,
    columns: Any = None,
    reserved: Callable[[], None] | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    on: Any = None,
    progress: Call | None = None,
    debug: bool = False,
) -> Ran:
    """Run a plan.

    Parameters
    ----------
    plan : Proposal or Admitted
        A plan is put through the gate first; see :mod:`dpframe.runtime.gate`.
    tables : mapping
        One table for each input of the graph.
    simulate : int, optional
        Seed of the noise; the result is marked as simulated.
    columns : sequence or mapping, optional
        Columns to select from every table, or from each by its name.
    reserved : callable, optional
        Called once all checks passed and before the first pass: put the reserved loss on record there.
    threads, chunk : int, optional
        Workers and rows a batch; no result depends on them before noise.
    on : distributed.Client or str, optional
        A Dask cluster that takes the passes over tables in files; the same bits for the same seed.
    progress : callable, optional
        Called as ``progress(turn, percent)`` while rows are read, in place of the line on the terminal: which pass, and
        how far, None where the number of rows is private.
    debug : bool
        Print the traceback of an error that ended the run to stderr; it may quote the table.

    Returns
    -------
    Ran
        With status ``failed`` whatever went wrong after `reserved` was called.

    Raises
    ------
    CertificateError
        When the checker does not accept the plan's certificate. Nothing is read or spent.
    DataError
        Before anything is spent.

    Notes
    -----
    *Formal guarantees.* What runs is what the checker accepted, whatever the plan says. From the first pass on the
    call returns (or is interrupted by the user): no exception, and no text that depends on which one it was. A failure
    tells one bit: that a post node found no answer in released values, that the source changed, or that something
    raised.
    """
    from dpframe.kernel.noise import SecureSource, SeededSource

    admitted = gate.admit(plan, simulated=simulate is not None)
    with joined(on) as pool:
        opened = open_tables(admitted, tables, columns=columns, pool=pool)
        source = SecureSource() if simulate is None else SeededSource(simulate)
        public_n = next((i.n for i in admitted.graph.inputs if i.kind is Kind.PRIVATE), None)
        shown = Progress(public_n if admitted.checked.adjacency.n_is_public else None, call=progress)
        once, guard = reads_once(admitted.graph), Guard.of(admitted.checked)
        session = Session(admitted, source, guard, shown, threads, chunk, pool, once)
        return _run(session, opened, reserved, debug=debug)


def _run(session: Session, opened: Opened, reserved: Callable[[], None] | None, *, debug: bool) -> Ran:
    """Evaluate an admitted graph on opened tables."""
    admitted, simulated = session.admitted, session.source.simulated
    scope = Scope(session, admitted.graph, values=dict(opened.values))
    _prepare(scope)
    if reserved is not None:
        reserved()
    try:
        try:
            found: list[Any] | Failed = scope.run(tuple(ref for _, ref in admitted.graph.outputs))
        except Stop as stop:
            found = stop.failed
        finally:
            session.progress.end()
        opened.check_unchanged()
        if isinstance(found, Failed):
            reason, advice = found.reason, found.advice
            return failed(admitted, reason, advice, simulated=simulated, columns=opened.columns)
        outputs = {name: value for (name, _), value in zip(admitted.graph.outputs, found, strict=True)}
        return Ran(
            admitted.plan,
            outputs,
            "released",
            simulated,
            remarks=tuple(session.remarks),
            columns=opened.columns,
            quality=quality_of(admitted.graph, session.judged),
            judged=session.judged,
            taken=session.taken,
            rows=counted(scope),
            proof=admitted.checked,
        )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  a plugin's sys.exit() is an error like any other
        return ended(admitted, error, simulated=simulated, columns=opened.columns, debug=debug)


def _prepare(scope: Scope) -> None:
    """Evaluate what follows from public tables: whatever is wrong with one is said before anything is spent."""
    node, fix = "", "look at the public table, or at what computes this node; --debug shows more"
    try:
        for name in scope.prepare():
            node = f"node {name!r}, which follows from the public table,"
    except Stop as stop:
        raise DataError(stop.failed.reason, fix=stop.failed.advice) from None
    except KeyboardInterrupt:
        raise
    except DpframeError as error:
        if error.fix:
            raise
        raise DataError(f"{node} raised {type(error).__name__}: {error.message}", fix=fix) from error
    except BaseException as error:
        raise DataError(f"{node} raised {type(error).__name__}", fix=fix) from error


Names = tuple[str | int, ...]


def failed(admitted: Admitted, reason: str, advice: str, *, simulated: bool, columns: Names) -> Ran:
    """The result of a failed run. Every failure says the same of missing values, whether there were any or not."""
    whole = f"{advice.rstrip('. ')}. {MISSING_ROWS}"
    return Ran(admitted.plan, {}, "failed", simulated, reason, whole, columns=columns, proof=admitted.checked)


def ended(admitted: Admitted, error: BaseException, *, simulated: bool, columns: Names, debug: bool) -> Ran:
    """The result of a run that an error ended. It is the same for every error, except where a source changed."""
    _tell(error, debug=debug)
    reason, advice = (error.message, error.fix or "") if isinstance(error, ChangedError) else ENDED
    return failed(admitted, reason, advice, simulated=simulated, columns=columns)


def _tell(error: BaseException, *, debug: bool) -> None:
    """The one place that looks at the error of a run. Tests replace it, so as to fail on errors that a run hides."""
    if debug:
        traceback.print_exception(error)
