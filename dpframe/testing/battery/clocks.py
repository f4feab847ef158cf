"""What an attack has spent: a busy machine does not move this clock, a function that waits does."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

_PROCESS, _WALL = time.process_time, time.monotonic
_QUEUE = Path("/proc/self/schedstat")
_TOLD = _QUEUE.exists()
LONG, SLOW_CALL = 5.0, 0.05
"""Seconds beyond its own that an attack takes to do the least it should; of one call, from which on it is left out."""


def spent() -> float:
    """Seconds in which this process computed or slept, from some start on, whatever a world's clocks say.

    All but those in which it waited for a processor, which Linux tells; elsewhere CPU seconds, and no sleep is counted.

    Examples
    --------
    >>> began = spent()
    >>> spent() >= began
    True
    """
    return _WALL() - int(_QUEUE.read_text().split()[1]) * 1e-9 if _TOLD else _PROCESS()


def seconds_of(call: Callable[[], object]) -> float:
    """What one call takes."""
    began = spent()
    call()
    return spent() - began
