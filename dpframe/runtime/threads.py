"""Threads of this process: how many, and memory that they get again."""

from __future__ import annotations

import os

import numpy as np


def workers() -> int:
    """Threads of a pass: the processors this process may use."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def keep_memory() -> None:
    """Let the allocator keep what is freed: glibc hands large blocks back, and fetching pages anew is half of a pass.

    A block that is mapped by itself and freed, though never touched, sets the size from which it does so (mallopt(3)).
    """
    np.empty(31 * 2**20, dtype=np.uint8)
