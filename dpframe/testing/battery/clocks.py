"""What an attack has spent: a busy machine does not move this clock, a function that waits does."""

from __future__ import annotations

import bisect
import os
import time
from collections.abc import Callable

import attrs

_PROCESS, _WALL = time.process_time, time.monotonic
_OPEN, _READ, _CLOSE = os.open, os.read, os.close
_QUEUE = "/proc/self/schedstat"
_TOLD = os.path.exists(_QUEUE)
LONG, SLOW_CALL = 5.0, 0.05
"""Seconds beyond its own that an attack takes to do the least it should; of one call, from which on it is left out."""
UNLIKE, STALL = 8.0, 0.03
"""A step counts for at most so many times the median of all, or these seconds if they are more."""


def spent() -> float:
    """Seconds in which this process computed or slept, from some start on, whatever a world's clocks say.

    All but those in which it waited for a processor, which Linux tells; elsewhere CPU seconds, and no sleep is counted.

    Examples
    --------
    >>> began = spent()
    >>> spent() > began - 0.1  # what is waited is told by another clock, a moment later
    True
    """
    if not _TOLD:
        return _PROCESS()
    file = _OPEN(_QUEUE, os.O_RDONLY)
    waited = int(_READ(file, 200).split()[1])
    _CLOSE(file)
    return _WALL() - waited * 1e-9


def seconds_of(call: Callable[[], object]) -> float:
    """What one call takes."""
    began = spent()
    call()
    return spent() - began


@attrs.define
class Steps:
    """Whether many steps of one kind have taken their seconds; one in which the machine stood still counts for little.

    A virtual machine that is stopped for a moment shows neither in CPU seconds nor as waiting, so :func:`spent` takes
    it for a function that sleeps. A step counts for at most :data:`UNLIKE` times the median of all, or :data:`STALL`;
    steps that really differ that much end by their true time, at three times the seconds and one more.
    """

    seconds: float
    """What the steps may take."""
    _took: list[float] = attrs.field(factory=list, init=False)
    _began: float = attrs.field(init=False)
    _last: float = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._began = self._last = spent()

    def over(self) -> bool:
        """Asked after each step: whether all so far took their seconds."""
        now = spent()
        bisect.insort(self._took, now - self._last)
        self._last = now
        if now - self._began <= self.seconds:
            return False
        most = max(UNLIKE * self._took[len(self._took) // 2], STALL)
        return sum(min(took, most) for took in self._took) > self.seconds or now - self._began > 3 * self.seconds + 1
