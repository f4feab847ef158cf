"""One pass over a table for all statistics that are ready: the fused fold.

Each batch is transformed once however many statistics look at it. Folds are exact and order-free, so threads
share the batches and the result is the same bits for every number of them.
"""

from __future__ import annotations

import os
import queue
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Batch, Exact, Statistic
from dpframe.proof.spaces import Domain
from dpframe.runtime.cluster import Pool
from dpframe.runtime.progress import Progress
from dpframe.runtime.remote import update
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


def workers() -> int:
    """Threads of a pass: the processors this process may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def take(
    requests: Sequence[Request],
    progress: Progress,
    *,
    threads: int | None = None,
    rows: int | None = None,
    pool: Pool | None = None,
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
    """
    table = requests[0].view.base
    size = rows or chunk_rows(table.d)
    if pool is not None and pool.takes(table):
        found = pool.take(requests, size)
        progress.step(table.n)
        return found
    count = threads or workers()
    states: queue.SimpleQueue[list[Any]] = queue.SimpleQueue()
    for _ in range(count):
        states.put([r.start() for r in requests])

    def work(batch: Batch) -> None:
        state = states.get()
        try:
            update(requests, state, batch)
        finally:
            states.put(state)
        progress.step(len(batch.valid))

    from threadpoolctl import threadpool_limits

    with threadpool_limits(1, user_api="blas"):
        if count == 1:
            for batch in table.batches(size):
                work(batch)
        else:
            _spread(table.batches(size), work, count)
    first, *others = [states.get() for _ in range(count)]
    for other in others:
        for mine, theirs in zip(first, other, strict=True):
            mine.merge(theirs)
    with np.errstate(all="ignore"):
        return [r.statistic.value(fold) for r, fold in zip(requests, first, strict=True)]


def _spread(batches: Iterator[Batch], work: Any, count: int) -> None:
    """Hand batches to threads, a few ahead, so that memory stays bounded by the chunk."""
    waiting: list[Future[None]] = []
    with ThreadPoolExecutor(count) as pool:
        for batch in batches:
            waiting.append(pool.submit(work, batch))
            if len(waiting) > 2 * count:
                waiting.pop(0).result()
        for future in waiting:
            future.result()
