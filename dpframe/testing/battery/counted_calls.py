"""A row function that counts its calls, up to a number that stands in its code."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from dpframe.testing.battery import pasts, sizes
from dpframe.testing.battery.clocks import spent
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.worlds import Lost, elsewhere

MOST_CALLS, CALLS_A_LOOK = 20_000, 256
"""Calls that are made if a number in the code says so many, and after how many the time is looked at."""


def attack_calls(lab: Lab, function: Callable[..., Any], probe: tuple[Any, tuple[Any, ...]], seconds: float) -> None:
    """Report a function that answers the same rows otherwise within as many calls as its code says."""
    calls = int(max((c for c in sizes.constants(function) if pasts.REPEATS < c <= MOST_CALLS), default=0))
    if not calls:
        return
    try:
        if elsewhere(functools.partial(_changes, function, probe, calls, seconds)):
            lab.fail("purity", f"the same input has another answer within {calls} calls: it keeps state", calls=calls)
    except Lost as error:
        lab.lost(error, "as many calls as its code says were not made: ")


def _changes(function: Callable[..., Any], probe: tuple[Any, tuple[Any, ...]], calls: int, seconds: float) -> bool:
    """Whether one row is answered otherwise in as many calls as the largest number in its code says, or in so long."""
    values, params = probe
    first: bytes | None = None
    end = spent() + seconds
    for i in range(calls + 1):
        image = sizes.attempt(function, values, params)
        made = b"" if image is None else image.tobytes()
        first = made if first is None else first
        if made != first:
            return True
        if i % CALLS_A_LOOK == 0 and spent() > end:
            break
    return False
