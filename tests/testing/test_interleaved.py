"""Another thread's batch at each line of a function: what calls share shows, what each keeps for itself does not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from dpframe.testing.battery.interleaved import _homes, _moved

BUFFER, LOCK, OWN = np.zeros(100), threading.Lock(), threading.local()
ROOM: dict[Any, Any] = {}
PROBES = [np.arange(5.0), np.arange(40.0) - 7.0]


def in_a_buffer(values: Any) -> Any:
    """Made in a place that all calls share."""
    made = BUFFER[: len(values)]
    made[:] = values
    made *= 2.0
    return made


def behind_a_lock(values: Any) -> Any:
    """The same, one call at a time."""
    with LOCK:
        made = BUFFER[: len(values)]
        made[:] = values
        return made * 2.0


def of_a_thread(values: Any) -> Any:
    """A buffer for each thread."""
    OWN.made = np.zeros(len(values))
    OWN.made[:] = values
    OWN.made *= 2.0
    return OWN.made


def by_shape(values: Any) -> Any:
    """Room that calls share where they have as many rows."""
    made = ROOM.setdefault(values.shape, np.zeros(values.shape))
    made[:] = values
    made *= 2.0
    return made.copy()


@pytest.mark.parametrize(
    ("function", "shared"), [(in_a_buffer, True), (by_shape, True), (behind_a_lock, False), (of_a_thread, False)]
)
def test_a_shared_buffer_is_seen_and_no_other(function: Callable[[Any], Any], shared: bool) -> None:
    assert _moved(_homes(function), function, PROBES) is shared


def test_lines_are_those_of_the_function_that_is_held() -> None:
    def held(function: Any) -> Any:
        return lambda values: function(values) + 0.0

    assert _homes(held(in_a_buffer)) == {__file__}
    assert _homes(np.sum) == set()
