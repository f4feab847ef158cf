"""Passes on a Dask cluster: each worker folds ranges of rows of files that all can open; the folds merge in a tree.

What a worker gets, the released parameters, secret labels of rows and the key of the digests, goes to it from the
client directly, and so does what comes back. The rows of tables that workers can't read, gathered rows and the rows of
blocks are sent once, each to one worker. The scheduler sees random keys, numbers of parts and blocks, sizes and times.
Noise, mechanisms and posts stay in the client's process.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import pickle
import secrets
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np

from dpframe.errors import ChangedError, DataError, DpframeError, RunError
from dpframe.hints import unlike
from dpframe.kernel.graphs import plugins
from dpframe.kernel.operations import Blocks, Exact
from dpframe.kernel.registry import find_learner
from dpframe.runtime.blocks import Block
from dpframe.runtime.remote import Folded, Reply, count, fold, learn, merge, packed, probe
from dpframe.runtime.sources.digest import UNIT_ROWS, changed
from dpframe.runtime.threads import ahead

CONNECT_SECONDS = 10
PATIENCE_SECONDS = 60
"""How long a pass waits while no worker is there."""
TRIES = 3
PAUSE_SECONDS = 2
"""Before another try: until then the scheduler may still name a worker that is gone."""
FAN_IN = 8
KEPT = 64
"""Tables whose rows stay on workers; an audit gathers some in every run."""
PARTS_A_THREAD = 4


@contextlib.contextmanager
def joined(on: Any) -> Iterator[Pool | None]:
    """The cluster of a run: one that a client is connected to, one at an address, or none.

    Raises
    ------
    DataError
        When it can't be reached.
    """
    if on is None:
        yield None
        return
    distributed = _distributed()
    if isinstance(on, distributed.Client):
        if on.asynchronous or on.status != "running":
            raise DataError("the client is not connected, or asynchronous", fix="on=distributed.Client(ADDRESS)")
        yield Pool(on)
        return
    if not isinstance(on, str):
        raise DataError(
            f"a cluster cannot be of type {type(on).__name__}", fix="give a distributed.Client or an address"
        )
    client: Any = None
    with contextlib.suppress(Exception):  # whatever it is, it is not there
        with ThreadPoolExecutor(1) as thread:  # where no other event loop runs
            thread.submit(asyncio.run, _reached(on)).result()
        client = distributed.Client(on, timeout=CONNECT_SECONDS, set_as_default=False)
    if client is None:
        raise DataError(f"there is no Dask scheduler at {on!r}", fix="check the address, for example tcp://host:8786")
    try:
        yield Pool(client)
    finally:
        with contextlib.suppress(Exception):  # what the run released stands
            client.close(timeout=CONNECT_SECONDS)


async def _reached(address: str) -> None:
    """Try a bare connection first: a client without a scheduler retries for 30 s, then prints a traceback."""
    comm, security = (importlib.import_module(f"distributed.{name}") for name in ("comm.core", "security"))
    found = await comm.connect(address, timeout=CONNECT_SECONDS, **security.Security().get_connection_args("client"))
    await found.close()


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise DataError("a run on a cluster needs dask.distributed", fix="pip install 'dpframe[dask]'") from None


@attrs.frozen(eq=False)
class Pool:
    """The workers of a cluster: they fold rows, count rows of files and learn blocks."""

    client: Any
    _rows: dict[int, tuple[Any, list[int], list[Any]]] = attrs.field(factory=dict, init=False, repr=False)
    _certified: list[tuple[Any, Any, Any]] = attrs.field(factory=list, init=False, repr=False)
    """What the plan names of plugins: operations, the digests in the certificate, and the homes of learners."""

    def ask(self, sources: Sequence[Any], operations: Sequence[Any]) -> None:
        """Ask each worker, before anything is spent, whether it is like this process and sees the same files.

        Those that come meanwhile are asked too, those that go are not waited for. Whoever comes later is asked by each
        task that it is given.

        Raises
        ------
        DataError
            Naming what differs.
        """
        shared = [source for source in sources if source.pieces]
        problem: DpframeError | None = None
        answers: dict[str, Reply | None] = {}
        try:
            self._certified[:] = [
                (operation, named, _home(operation) if isinstance(operation, Blocks) else None)
                for operation in operations
                if (named := plugins(operation))
            ]
            content = packed(shared, certified=self._certified)
            for _ in range(TRIES):
                workers = [worker for worker in self.client.nthreads() if worker not in answers]
                job = self._sent(content) if workers else None
                asked = {worker: self._submit(probe, job, workers=[worker]) for worker in workers}
                answers |= {worker: self._answer(future, worker) for worker, future in asked.items()}
            told = [(worker, *answer) for worker, answer in answers.items() if answer is not None]
            wrong = next((unlike(*one) for one in told if one[1] != "done"), None)
            if wrong is not None:
                problem = DataError(wrong[0], fix=wrong[1])
            if not told:
                problem = DataError("the cluster has no workers", fix="start some: dask worker ADDRESS")
        except Exception:  # noqa: BLE001  a worker without dpframe, or a cluster that is gone
            problem = DataError(
                "the cluster's workers can't run dpframe", fix="install the client's versions of everything on each"
            )
        if problem is not None:
            raise problem

    def count(self, source: Any) -> None:
        """Let workers check a table's files and count their rows, where that is more than reading a header.

        Whatever goes wrong is left to the client, which then reads them by itself and says what it is: nothing has
        been spent, and a table that differs on a worker is noticed by :meth:`ask`.
        """
        with contextlib.suppress(Exception):
            source.begin()
            checks = len(source.checks())
            parts = min(checks, self._shares(checks))
            if source.pieces and parts > 1:
                cuts = [checks * i // parts for i in range(parts + 1)]
                job = self._sent(packed((source, cuts)))
                replies = [self._answer(future) for future in [self._submit(count, job, part) for part in range(parts)]]
                found = np.frombuffer(
                    b"".join(counts for status, counts in replies if status == "done"), dtype=np.int64
                )
                source.check_unchanged(source.mark)
                if len(found) == checks:
                    source.settle(found.tolist())

    def take(self, requests: Sequence[Any], rows: int) -> list[Exact]:
        """Take all statistics of one table in one pass.

        Notes
        -----
        *Formal guarantees.* Each row is in one part, each part in the tree once, whatever is computed twice: a task's
        result is bytes that follow from the job, and the first one that is there is used. The tree's root says which
        units it holds; all of them, once each, or the pass fails. A pass that is tried again gives the same integers;
        noise is added to them later, once, elsewhere.
        """
        table = requests[0].view.base
        source, n = table.source, table.n
        parts, digests = self._shares(0 if source is None else source.pieces), None
        if source is not None:
            source.check_unchanged(source.mark)
            if source.pieces:
                digests = source.digests
                digests.keys()
        cuts = table.cuts(max(1, parts))
        units = -(-n // UNIT_ROWS)
        found = self._tried(packed((list(requests), cuts, rows, digests), table.absent, self._certified), cuts, table)
        if found.rows != n or sorted(found.digests) != list(range(units)):
            raise RunError("a row would be counted twice or not at all", fix="report this")
        if digests is not None:
            digests.agree([found.digests[unit] for unit in range(len(found.digests))])
        with np.errstate(all="ignore"):  # as in a pass here
            return [request.statistic.value(state) for request, state in zip(requests, found.states, strict=True)]

    def _shares(self, pieces: int) -> int:
        """In how many parts workers read a table: where it has few pieces, each is one, so that no worker waits."""
        parts = PARTS_A_THREAD * sum(self.client.nthreads().values())
        return pieces if 0 < pieces <= 2 * parts else parts

    def learn(self, operation: Any, groups: Iterator[list[Block]], tied: bool) -> list[Any]:
        """Results of a learner on each block, ``None`` where it failed, in the order of the blocks.

        Parameters
        ----------
        operation : Blocks
        groups : iterator of lists of (number, rows)
            One is gathered while the one before it is learned.
        tied : bool
            Whether they must be gathered in this thread, and then in turn.

        Raises
        ------
        RunError
            When a block ran into a limit, or was lost with its worker in every try.

        Notes
        -----
        *Formal guarantees.* A block's result depends on its rows and its number. The first that arrives is final, by
        number: a block is asked for again only while it has none. So nothing that happens to one block, its worker or
        the cluster changes what another one gives, as the sensitivity of one block presupposes. That no limit binds is
        a hypothesis of the certificate; on one machine a block that runs into one is ⊥ by itself, here, where load
        and memory of a worker come from other blocks too, the run ends without a release.
        """
        content, found = packed((_home(operation), operation.seed), certified=self._certified), dict[int, Reply]()
        for group in ahead(groups, tied):
            for tried in range(TRIES):
                left = [(number, rows) for number, rows in group if number not in found]
                if left and self.client.status == "running":
                    time.sleep(PAUSE_SECONDS * tried)
                    self._learned(content, left, found)
            if any(number not in found or found[number][0] != "done" for number, _ in group):
                raise RunError("a block learner on the cluster failed", fix="look at the workers, or run without on=")
        return [pickle.loads(found[number][1]) for number in sorted(found)]  # noqa: S301  of trusted workers

    def _learned(self, content: bytes, blocks: Sequence[Block], found: dict[int, Reply]) -> None:
        """Send blocks to workers and keep the first result of each; some may be lost with their worker."""
        with contextlib.suppress(Exception):
            job, asked = self._sent(content), dict[int, Any]()
            for number, rows in blocks:
                asked[number] = self._submit(learn, job, number, self._kept(rows))
            for number, future in asked.items():
                with contextlib.suppress(Exception):
                    reply = self._answer(future)
                    if reply[0] != "lost":  # its process was ended with what runs beside it: nobody has learned it
                        found.setdefault(number, reply)

    def _kept(self, rows: Any) -> Any:
        """Send rows to one worker, directly; returns the future that holds them there."""
        content = pickle.dumps(rows, protocol=5)
        (future,) = self.client.scatter([content], direct=True, hash=False, broadcast=False)
        return future

    def _tried(self, content: bytes, cuts: list[int], table: Any) -> Folded:
        """Make a pass, and make it again when workers went that held parts of it."""
        for _ in range(TRIES):
            reply: tuple[str, Any] | None
            try:
                reply = self._pass(content, cuts, table)
            except ChangedError:
                raise
            except Exception:  # noqa: BLE001  a worker went, or the scheduler
                reply = None
            if reply is not None:
                if reply[0] == "changed":
                    raise changed()
                if reply[0] != "done":
                    break
                made: Folded = pickle.loads(reply[1])  # noqa: S301  workers are trusted with rows, and with this
                return made
            if self.client.status != "running":
                break
            self._rows.pop(id(table), None)  # with the worker its rows are gone
            time.sleep(PAUSE_SECONDS)
        raise RunError("a pass on the cluster failed", fix="look at the workers")

    def _pass(self, content: bytes, cuts: list[int], table: Any) -> Any:
        """Fold all parts and merge them in a tree. The tasks' arguments tell the scheduler of parts, not of rows."""
        job, parts = self._sent(content), len(cuts) - 1
        keys = [_random_key() for _ in range(parts)]
        given = [] if table.absent is None else [self._parts(table, cuts)]
        level = self.client.map(fold, [job] * parts, range(parts), *given, key=keys, pure=False)
        while len(level) > 1:
            level = [self._submit(merge, *level[i : i + FAN_IN]) for i in range(0, len(level), FAN_IN)]
        return self._answer(level[0])

    def _parts(self, table: Any, cuts: list[int]) -> list[Any]:
        """Futures of the rows of each part, which are sent once a run, and again when they are lost."""
        known = self._rows.get(id(table))
        if known is None or known[0] is not table or known[1] != cuts:
            while len(self._rows) >= KEPT:
                self._rows.pop(next(iter(self._rows)))
            sent = [self._kept(piece) for piece in table.apart_in_memory(cuts)]
            known = self._rows[id(table)] = (table, cuts, sent)
        return known[2]

    def _sent(self, content: bytes) -> Any:
        """Send bytes to every worker, directly; returns the future that holds them there."""
        (future,) = self.client.scatter([content], direct=True, hash=False, broadcast=True)
        return future

    def _submit(self, task: Any, *arguments: Any, **options: Any) -> Any:
        """Submit a task with a random key; by default Dask would derive the key from the arguments."""
        return self.client.submit(task, *arguments, key=_random_key(), pure=False, **options)

    def _answer(self, future: Any, worker: str | None = None) -> Any:
        """A task's result, from its worker directly; waits as long as there is one.

        Where ``worker`` is the only one that may do it, None when that one went.
        """
        distributed = _distributed()
        idle = 0
        while not future.done():
            with contextlib.suppress(TimeoutError):
                distributed.wait([future], timeout=1)
            there = self.client.nthreads() if self.client.status == "running" else {}
            if worker is not None and there and worker not in there and not future.done():
                return None
            idle = 0 if there else idle + 1
            if idle > PATIENCE_SECONDS:
                raise RunError("no worker is left", fix="start some")
        return self.client.sync(_from_worker, self.client, future.key)


def _home(operation: Any) -> tuple[str, str]:
    """The name of a block learner's function, and the module that a worker imports if it does not know it."""
    return operation.learner, find_learner(operation.learner).__module__


def _random_key() -> str:
    """A random name for a task, which tells the scheduler nothing."""
    return f"dpframe-{secrets.token_hex(16)}"


async def _from_worker(client: Any, key: str) -> Any:
    """What a worker holds. Dask's own gathering would ask the scheduler for it where the worker is gone."""
    fetch = importlib.import_module("distributed.utils_comm").gather_from_workers
    found, *_ = await fetch(await client.scheduler.who_has(keys=[key]), rpc=client.rpc)
    return found[key]
