"""Effort without a clock: the calls that some work makes, in Python and into C, the same on a busy machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


class TooManySteps(Exception):
    """The work was stopped at its limit, so that one without end is a failure too."""


def within(limit: int, work: Callable[[], T]) -> T:
    """Do the work in at most ``limit`` calls of functions.

    A vectorised operation is one call whatever its length, so this bounds loops and searches, not arithmetic.

    Raises
    ------
    TooManySteps
        Also where the work itself caught it.
    """
    steps = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal steps
        if event in ("call", "c_call"):
            steps += 1
            if steps > limit:
                raise TooManySteps(f"more than {limit} calls")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        result = work()
    finally:
        sys.setprofile(before)
    if steps > limit:
        raise TooManySteps(f"more than {limit} calls")
    return result
