"""One pass over a table for all statistics that are ready: the fused fold.

Each batch is transformed once however many statistics look at it. Folds are exact and order-free, so threads
share the batches and the result is the same bits for every number of them.
"""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext, suppress
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Batch, Exact, Statistic
from dpframe.proof.spaces import Domain, WeightedRows
from dpframe.runtime.alike import key
from dpframe.runtime.cluster import PARTS_A_THREAD, Pool
from dpframe.runtime.progress import Progress
from dpframe.runtime.remote import update
from dpframe.runtime.threads import reading, workers
from dpframe.runtime.views import View, chunk_rows


@attrs.frozen(eq=False)
class Request:
    """A statistic to take: of which rows, with which released parameters."""

    statistic: Statistic
    view: View
    domain: Domain
    params: tuple[Any, ...]

    def start(self) -> Any:
        """A fresh fold."""
        return self.statistic.start(self.domain, *self.params)


def take(
    requests: Sequence[Request],
    progress: Progress,
    *,
    threads: int | None = None,
    rows: int | None = None,
    pool: Pool | None = None,
    once: bool = False,
) -> list[Exact]:
    """Take all statistics of one table in one pass.

    Parameters
    ----------
    requests : sequence of Request
        All with the same base table.
    threads, rows : int, optional
        Workers and rows a batch; the result does not depend on them.
    pool : Pool, optional
        A cluster, for the tables that its workers can read.
    once : bool
        Whether this is the run's only reading of the table: then there is none to compare it with. Workers digest
        their rows all the same, since a part may be folded twice.
    """
    keys = [key((r.statistic, r.domain, r.view, r.params)) for r in requests]
    if len(apart := dict(zip(keys, requests, strict=True))) < len(requests):
        found = take([*apart.values()], progress, threads=threads, rows=rows, pool=pool, once=once)
        answers = dict(zip(apart, found, strict=True))
        return [answers[k] for k in keys]
    table = requests[0].view.base
    # A chunk and what a clip makes of it should stay in the cache. What components see is cut anew: fewer calls then.
    seen = any(type(r.domain) is WeightedRows for r in requests)
    size = rows or chunk_rows(table.d if seen else 2 * table.d)
    if pool is not None:
        found = pool.take(requests, size)
        progress.step(table.n)
        return found
    if once:
        table.read_once()
    count = threads or workers()
    states: queue.SimpleQueue[list[Any]] = queue.SimpleQueue()
    for _ in range(count):
        states.put([r.start() for r in requests])

    def work(batches: Iterable[Batch]) -> None:
        for batch in batches:
            state = states.get()  # by turns, so that folds merge even where one thread does all
            try:
                update(requests, state, batch)
            finally:
                states.put(state)
            progress.step(len(batch.valid))

    with reading():
        if count == 1:
            work(table.batches(size))
        elif table.tied:
            _spread(table.batches(size), lambda batch: work([batch]), count)
        else:
            with table.apart(_parts(table.n, count), size) or nullcontext([table.batches(size)]) as parts:
                _together(parts, work, count)
    first, *others = [states.get() for _ in range(count)]
    for other in others:
        for mine, theirs in zip(first, other, strict=True):
            mine.merge(theirs)
    with np.errstate(all="ignore"):
        return [r.statistic.value(fold) for r, fold in zip(requests, first, strict=True)]


def _parts(n: int, count: int) -> int:
    """In how many parts threads read a table: several each where it is long, so that they end at about one time."""
    return max(count, min(PARTS_A_THREAD * count, n >> 20))


class _Part:
    """The batches of one part of a table, shared by threads: one reads the next batch while the others wait."""

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._batches, self._lock = iter(batches), threading.Lock()

    def __iter__(self) -> Iterator[Batch]:
        while (batch := self._next()) is not None:
            yield batch

    def _next(self) -> Batch | None:
        with self._lock, np.errstate(all="ignore"):
            return next(self._batches, None)


def _together(batches: Sequence[Iterable[Batch]], work: Callable[[Iterable[Batch]], None], count: int) -> None:
    """Hand each thread a part of the table; when no part is left it helps with those that others have begun.

    So no thread is idle before the last batches are read, whatever the parts' sizes; a table that is read in one part
    only is read by turns. When one thread fails the others end with their next batch.
    """
    stop, parts = threading.Event(), [_Part(each) for each in batches]
    fresh = deque(parts)

    def reached() -> Iterator[_Part]:
        with suppress(IndexError):
            while True:
                yield fresh.popleft()
        yield from reversed(parts)

    def shared() -> Iterator[Batch]:
        for part in reached():
            for batch in part:
                if stop.is_set():
                    return
                yield batch

    with ThreadPoolExecutor(count) as pool:
        try:
            waiting = [pool.submit(work, shared()) for _ in range(count)]
            wait(waiting, return_when=FIRST_EXCEPTION)
        finally:
            stop.set()
        for future in waiting:
            future.result()


def _spread(batches: Iterator[Batch], work: Callable[[Batch], None], count: int) -> None:
    """Read in this thread and hand batches to others, a few ahead, so that memory stays bounded by the chunk."""
    waiting: list[Future[None]] = []
    with ThreadPoolExecutor(count) as pool:
        for batch in batches:
            waiting.append(pool.submit(work, batch))
            if len(waiting) > 2 * count:
                waiting.pop(0).result()
        for future in waiting:
            future.result()
