"""Threads of this process: how many, and memory that they get again."""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any, TypeVar

from threadpoolctl import OpenBLASController, ThreadpoolController

Item = TypeVar("Item")

TOLD = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Variables by which a library of linear algebra is told its threads when it is loaded."""
_LOCK = threading.Lock()
_READING: list[contextlib.ExitStack] = []
"""One for each reading that goes on; all are the first one's, which holds the limits until the last one ends."""
_KEPT = {-1: 2**26, -3: 2**25}
"""M_TRIM_THRESHOLD and M_MMAP_THRESHOLD: free memory at the end of a heap, and blocks that are mapped by themselves."""


def workers() -> int:
    """Threads of a pass: the processors this process may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def keep_memory() -> None:
    """Let the allocator keep what is freed: glibc hands large blocks back, and fetching pages anew is half of a pass.

    By mallopt(3), where there is one. The sizes from which it does so grow by themselves, but not in workers of a Dask
    nanny: it sets one of them, and low.
    """
    with contextlib.suppress(Exception):
        allocator = ctypes.CDLL(None)
        for which, size in _KEPT.items():
            allocator.mallopt(which, size)


def one_thread(library: str | None = None) -> AbstractContextManager[Any]:
    """Linear algebra with one thread from now on, to the end of the context if it is entered.

    Nothing is done where it has one already: after a fork OpenBLAS would only start its others again, which spin.
    """
    found = ThreadpoolController()
    found = found.select(user_api=library) if library else found
    if all(told["num_threads"] == 1 for told in found.info()):
        return contextlib.nullcontext()
    limits: AbstractContextManager[Any] = found.limit(limits=1)
    return limits


@contextlib.contextmanager
def reading() -> Iterator[None]:
    """Linear algebra with one thread while functions of a plugin's see rows, whoever reads them and how often.

    For another number of threads a product has other last digits (of 301 columns, say). A rule that a row stands on the
    edge of would send it to one part in one reading and to another one in the next, where it would count twice. Two
    blocks on the edge of being near would be it for a test, and not for what rests on the test.

    That number is one for all threads of the process. Of runs that overlap the first one's limits hold until the last
    one's reading ends. A library that a function loads meanwhile is told by the environment.
    """
    with _LOCK:
        _READING.append(_READING[0] if _READING else _limited())
    try:
        yield
    finally:
        with _LOCK:
            last = _READING.pop()
            if not _READING:
                _ask_from_here()
                last.close()


def _limited() -> contextlib.ExitStack:
    held = contextlib.ExitStack()
    held.callback(_put_back, {name: os.environ.get(name) for name in TOLD})
    os.environ.update(dict.fromkeys(TOLD, "1"))
    _ask_from_here()
    held.enter_context(one_thread("blas"))
    return held


def _ask_from_here() -> None:
    """Since version 3.8 threadpoolctl does nothing, in silence, but for the thread that asked first and still lives."""
    getattr(OpenBLASController, "clear_controlling_thread", lambda **_: None)(force=True)


def _put_back(before: dict[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def ahead(items: Iterator[Item], tied: bool) -> Iterator[Item]:
    """The same items, each made by another thread while the one before it is worked on; here where they are tied."""
    if tied or workers() == 1:
        yield from items
        return
    end: Any = object()
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, items, end)
        while (item := coming.result()) is not end:
            coming = pool.submit(next, items, end)
            yield item


def together(tasks: Sequence[Callable[[], Item]], count: int) -> list[Item]:
    """What each task gives, by so many threads; of several errors the first task's is raised, whichever came first.

    Examples
    --------
    >>> together([lambda: 1, lambda: 2], 2)
    [1, 2]
    """
    if count == 1 or len(tasks) < 2:
        return [task() for task in tasks]
    with ThreadPoolExecutor(min(count, len(tasks))) as pool:
        waiting = [pool.submit(task) for task in tasks]
        try:
            return [future.result() for future in waiting]
        finally:
            for future in waiting:
                future.cancel()
