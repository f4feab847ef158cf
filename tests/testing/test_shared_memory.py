"""Memory that processes share: what is written there is seen, from a fork too, and what is not is no finding."""

from __future__ import annotations

import mmap

from dpframe.testing.battery import shared_memory
from dpframe.testing.battery.worlds import elsewhere


def test_a_fork_that_writes_is_seen_and_one_that_reads_is_not() -> None:
    with mmap.mmap(-1, 8) as shared, mmap.mmap(-1, 8, flags=mmap.MAP_PRIVATE) as own:
        before = shared_memory.contents()
        assert before
        elsewhere(lambda: (shared[0], own.write(b"x")))
        assert not shared_memory.written(before)
        elsewhere(lambda: shared.write(b"x"))
        assert shared_memory.written(before)


def test_what_comes_later_is_no_finding() -> None:
    before = shared_memory.contents()
    with mmap.mmap(-1, 8) as shared:
        shared.write(b"x")
        assert not shared_memory.written(before)
