"""Threads of this process: how many, and memory that they get again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

Item = TypeVar("Item")


def workers() -> int:
    """Threads of a pass: the processors this process may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def keep_memory() -> None:
    """Let the allocator keep what is freed: glibc hands large blocks back, and fetching pages anew is half of a pass.

    A block that is mapped by itself and freed, though never touched, sets the size from which it does so (mallopt(3)).
    """
    np.empty(31 * 2**20, dtype=np.uint8)


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items, each made by a thread of its own while the one before it is worked on."""
    if workers() == 1:
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
