"""Many simulated runs of one plan on one table, with every exact statistic computed once and noise drawn in bulk.

A run is evaluated by the executor's own interpreter. Statistics, queries and block results are kept by what they
depend on (the table and the released values that reach them), so that a run reads the table only where its noise
has led it somewhere new. Releases come from batches of independent draws from one exact value, each used once.
What is recorded is every release of every mechanism, and the outputs: all that a guarantee is about.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import RunError
from dpframe.kernel.families.mixture_mask import MixtureMask
from dpframe.kernel.graphs import Planned, Typed
from dpframe.kernel.mechanisms.stable_histogram import ReleasedCells
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Control, Exact, Gather, Mechanism, Partition, Query
from dpframe.kernel.post_processing import Post
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import Kind, MixtureValue
from dpframe.proof.typed import Ref
from dpframe.runtime import gate
from dpframe.runtime.cluster import Pool, joined
from dpframe.runtime.engine import Deferred, Scope
from dpframe.runtime.gate import Admitted
from dpframe.runtime.guard import Guard
from dpframe.runtime.progress import Progress
from dpframe.runtime.run import Opened, open_tables
from dpframe.runtime.scope import Session, Stop
from dpframe.runtime.views import Assignment, Mapped, MemoryTable, Part, View
from dpframe.testing.audit.mask_cases import bulk_masks
from dpframe.testing.battery.lab import fingerprint

Floats = npt.NDArray[np.float64]
CLOCK = 8
LEAST = 10
FIRST_BATCH, MOST_BATCH = 16, 4096
KEPT, KEPT_BYTES = 4096, 2**12
"""Exact values that are kept, and the size up to which labels are told apart."""


@attrs.define(eq=False)
class Recorder:
    """What all runs on one table share, and what they released.

    Attributes
    ----------
    kept : dict
        Exact values by what they depend on.
    pools : dict
        Independent releases that wait to be used, by node, place, share and exact value.
    columns : dict
        Released numbers: name to the runs that released it and the values.
    sites : dict
        What the last run released from: name to operation, exact value, noise and domain.
    """

    source: SeededSource
    tables: frozenset[int]
    kept: dict[Any, Any] = attrs.Factory(dict)
    pools: dict[Any, Iterator[Any]] = attrs.Factory(dict)
    columns: dict[str, tuple[list[int], list[float]]] = attrs.Factory(dict)
    sites: dict[str, tuple[Any, ...]] = attrs.Factory(dict)
    run: int = 0

    def record(self, name: str, released: Any) -> None:
        """Put the numbers of one release on record."""
        for key, number in numbers(released, name):
            runs, values = self.columns.setdefault(key, ([], []))
            if not runs or runs[-1] != self.run:
                runs.append(self.run)
                values.append(number)

    def keep(self, key: Any, value: Any) -> None:
        """Keep an exact value, the oldest ones making room."""
        if len(self.kept) >= KEPT:
            self.kept.pop(next(iter(self.kept)))
        self.kept[key] = value

    def release(self, name: str, share: Fraction, site: tuple[Mechanism, Exact, Mapping[str, Any], Any]) -> Any:
        """The next unused release of a mechanism, on record."""
        operation, exact, calibration, domain = site
        key = (name, share, fingerprint(_plain(exact.integers)), exact.step)
        if key not in self.pools:
            if len(self.pools) >= KEPT:
                self.pools.pop(next(iter(self.pools)))
            noise = self.source.child(f"{self.run}/{name}")
            self.pools[key] = _batches(operation, exact, dict(calibration), domain, noise)
        self.sites[name] = site
        released = next(self.pools[key])
        self.record(name, released)
        return released

    def again(self) -> None:
        """Another run that releases from the same exact values."""
        for name, site in self.sites.items():
            operation, exact, calibration, domain = site
            if (name, "again") not in self.pools:
                noise = self.source.child(f"again/{name}")
                self.pools[(name, "again")] = _batches(operation, exact, dict(calibration), domain, noise)
            self.record(name, next(self.pools[(name, "again")]))

    def table(self, names: Sequence[str], runs: int) -> Floats:
        """What was released, a row a run and a column a name; −∞ where a run released no such number."""
        out = np.full((runs, len(names)), -np.inf)
        for i, name in enumerate(names):
            at, values = self.columns.get(name, ([], []))
            out[at, i] = values
        return out


def _batches(
    operation: Mechanism, exact: Exact, calibration: dict[str, Any], domain: Any, source: SeededSource
) -> Iterator[Any]:
    size = FIRST_BATCH
    for number in range(2**62):
        noise = source.child(str(number))
        if type(operation) is MixtureMask and np.shape(exact.integers[1])[1] <= 2:
            yield from bulk_masks(exact, calibration, noise, size)
        else:
            yield from operation.release_many(exact, calibration, domain, noise, size)
        size = min(2 * size, MOST_BATCH)


def numbers(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Every number of a released value with a name of its own: a cell by its id, an entry by its place."""
    if isinstance(value, ReleasedCells):
        for cell, count in zip(np.atleast_2d(value.ids).tolist(), np.ravel(value.counts).tolist(), strict=True):
            yield f"{name}{cell}", float(count)
    elif isinstance(value, MixtureValue):
        yield from _mixture(value, name)
    elif attrs.has(type(value)):
        for field in attrs.fields(type(value)):
            yield from numbers(getattr(value, field.name), f"{name}.{field.name}")
    elif isinstance(value, Mapping):
        for key in sorted(value):
            yield from numbers(value[key], f"{name}.{key}")
    elif isinstance(value, (list, tuple)):
        yield f"{name}.length", float(len(value))
        for i, item in enumerate(value):
            yield from numbers(item, f"{name}[{i}]")
    else:
        yield from _entries(value, name)


def _entries(value: Any, name: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, str):
        return
    flat = [-1.0] if value is None else np.ravel(np.asarray(value, dtype=np.float64)).tolist()
    yield from ((f"{name}[{i}]" if len(flat) > 1 else name, v) for i, v in enumerate(flat))


def _mixture(value: MixtureValue, name: str) -> Iterator[tuple[str, float]]:
    """A mixture's components in the order of their means, and which one came first."""
    order = np.argsort(value.means[:, 0])
    if len(order) > 1:
        yield f"{name}.first", float(order[0])
    for part in ("weights", "means", "covariances"):
        yield from numbers(getattr(value, part)[order], f"{name}.{part}")


@attrs.frozen(eq=False)
class Watched(Session):
    """A session that keeps and records."""

    recorder: Recorder = attrs.field(kw_only=True)


@attrs.define(eq=False)
class Rerun(Scope):
    """A scope whose exact values come from earlier runs where they are the same."""

    @property
    def recorder(self) -> Recorder:
        """Of this session."""
        if not isinstance(self.session, Watched):
            raise RunError("a rerun needs a watched session", fix="use replay()")
        return self.session.recorder

    def _pass(self, nodes: list[Planned]) -> None:
        recorder, waiting = self.recorder, []
        for node in nodes:
            key = self._key(node)
            if key in recorder.kept:
                self.values[Ref(node.name)] = recorder.kept[key]
            else:
                waiting.append((node, key))
        if not waiting:
            return
        super()._pass([node for node, _ in waiting])
        for node, key in waiting:
            if key is not None:
                made = self.values[Ref(node.name)]
                recorder.keep(key, made)
                if isinstance(made, View):
                    recorder.tables |= {id(made.base)}

    def _key(self, node: Planned) -> Any:
        """What a streamed node's value depends on; None where it depends on a draw of this run."""
        if isinstance(node.operation, Gather) and _draws(node.operation):
            return None
        view, *params = (self.values[r] for r in node.inputs)
        seen = view_key(view, self.recorder.tables)
        return None if seen is None else (id(node.operation), seen, fingerprint(params))

    def _evaluate(self, node: Planned) -> None:
        if not isinstance(node.operation, Query):
            super()._evaluate(node)
            return
        inputs = [self.values[r] for r in node.inputs]
        if node.operation.declaration().rests_on is not None:  # that its test passed is known, what it said is not used
            inputs = inputs[:1]
        if all(isinstance(v, (Exact, Deferred)) or _public(v) for v in inputs):
            key = (id(node.operation), *(id(v) if isinstance(v, (Exact, Deferred)) else fingerprint(v) for v in inputs))
            recorder = self.recorder
            if key not in recorder.kept:  # the inputs are kept with it: an id is of something that is still there
                given = tuple(self.values[r] for r in node.inputs)
                recorder.keep(key, (Deferred(node.operation, given), given))
            self.values[Ref(node.name)] = recorder.kept[key][0]
            return
        super()._evaluate(node)

    def _release(self, node: Planned, operation: Mechanism, exact: Exact) -> Any:
        site = (operation, exact, self.charged(node), self.graph.edges[node.inputs[0]].domain)
        return self.recorder.release("/".join((*self.path, node.name, *self.place)), self.share, site)


def _public(value: Any) -> bool:
    return not isinstance(value, View)


def _plain(integers: Any) -> Any:
    return list(integers) if isinstance(integers, (list, tuple)) else np.asarray(integers)


def view_key(view: Any, tables: frozenset[int]) -> Any:
    """What a view shows, or None if that was drawn in this run."""
    if isinstance(view, Mapped):
        inner = view_key(view.parent, tables)
        return None if inner is None else ("map", inner, id(view.operation), fingerprint(view.params))
    if isinstance(view, Part):
        inner = _assignment_key(view.assignment, tables)
        return None if inner is None else ("part", inner, view.part)
    if isinstance(view.base, MemoryTable) and id(view.base) not in tables:
        return None
    return ("table", id(view.base))


def _assignment_key(made: Assignment, tables: frozenset[int]) -> Any:
    inner = view_key(made.parent, tables)
    if inner is None:
        return None
    labels: Any = None
    if made.labels is not None and made.operation.theorem != "index_partition":
        if made.labels.nbytes > KEPT_BYTES:
            return None
        labels = made.labels.tobytes()
    return (inner, id(made.operation), fingerprint(made.params), labels)


@attrs.frozen(eq=False)
class Runs:
    """What simulated runs on one table released; see :class:`Recorder`."""

    recorder: Recorder
    count: int

    @property
    def names(self) -> list[str]:
        """Names of the released numbers."""
        return list(self.recorder.columns)


def _draws(operation: Gather | Partition) -> bool:
    """Whether a partition or gather takes secret randomness."""
    return operation.declaration().draws


def static(graph: Typed) -> bool:
    """Whether no exact value depends on a released one, nor on a secret draw: noise is all that runs differ in."""
    for node in graph.nodes:
        operation = node.operation
        if isinstance(operation, Control) or (isinstance(operation, (Gather, Partition)) and _draws(operation)):
            return False
        if not isinstance(operation, Post) and any(graph.edges[r].kind is Kind.RELEASED for r in node.inputs):
            return False
    return True


def replay(
    plan: Plan,
    tables: Mapping[str, Any],
    *,
    runs: int,
    seed: int,
    seconds: float,
    least: int = LEAST,
    tell: Callable[[int], object] = lambda number: None,
    on: Any = None,
) -> Runs:
    """Run a plan many times on one table, simulated.

    Where all runs release from the same exact values (:func:`static`) outputs are left out: they are
    post-processing of what is recorded.

    Parameters
    ----------
    tables : mapping
        As for :func:`~dpframe.runtime.run.run_plan`.
    runs : int
    seed : int
    seconds : float
        No run is begun after this time, but for the first ``least``.
    tell : callable
        Called with the number of each run, from 1, before it begins.
    on : distributed.Client or str, optional
        A cluster that takes the passes and the block learners, as for a run: what is released is the same.

    Raises
    ------
    DpframeError
        As a run does.
    """
    source = SeededSource(seed)
    admitted = gate.admit(plan, simulated=True)
    with joined(on) as pool:
        return _replayed(admitted, open_tables(admitted, tables, pool=pool), pool, source, runs, seconds, least, tell)


def _replayed(
    admitted: Admitted,
    opened: Opened,
    pool: Pool | None,
    source: SeededSource,
    runs: int,
    seconds: float,
    least: int,
    tell: Callable[[int], object],
) -> Runs:
    bases = frozenset(id(v.base) for v in opened.values.values() if isinstance(v, View))
    recorder = Recorder(source.child("pools"), bases)
    fixed, stop = static(admitted.graph), time.monotonic() + seconds
    for number in range(runs):
        if number >= least and number % CLOCK == 0 and time.monotonic() > stop:
            break
        recorder.run = number
        tell(number + 1)
        if fixed and number:
            recorder.again()
        else:
            _one_run(admitted, opened, recorder, source.child(f"run {number}"), outputs=not fixed, pool=pool)
    if not recorder.columns:
        raise RunError("the plan released nothing", fix="audit a plan with a mechanism")
    opened.check_unchanged()
    return Runs(recorder, recorder.run + 1)


def _one_run(
    admitted: Admitted,
    opened: Opened,
    recorder: Recorder,
    source: SeededSource,
    *,
    outputs: bool,
    pool: Pool | None = None,
) -> None:
    guard, progress = Guard.of(admitted.checked), Progress(None, shown=False)
    session = Watched(admitted, source, guard, progress, 1, pool=pool, recorder=recorder)
    scope = Rerun(session, admitted.graph, values=dict(opened.values))
    try:
        found = scope.run(tuple(ref for _, ref in admitted.graph.outputs))
    except Stop:
        recorder.record("failed", 1.0)
        return
    if outputs:
        for (name, _), value in zip(admitted.graph.outputs, found, strict=True):
            recorder.record(f"output {name}", value)
