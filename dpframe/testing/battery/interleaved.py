"""Two batches at a time: a run hands parts of a table to threads, and a function must keep them apart.

Threads change places when they like, so a race is seldom seen by waiting for one. Here a batch is handed to the
function, and at each line of the plugin's code another thread calls it with another batch from the first line to the
last. A function that waits for a lock which the first call holds is left waiting, and goes on when that has let go.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import sysconfig
import threading
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from dpframe.testing.battery import sizes
from dpframe.testing.battery.lab import Lab, fingerprint
from dpframe.testing.battery.worlds import Lost, elsewhere

MOST_LINES, PATIENCE, MOST_WAITING = 60, 0.05, 4
"""Lines at which another batch comes in between; seconds that a line waits for it, and calls that may be waited for."""
KIT = str(Path(__file__).parents[2])
INSTALLED = ("stdlib", "platstdlib", "purelib", "platlib")
WORDS = (
    "a row's image is another one where a second thread asks for other rows at the same time, as a run does: "
    "it makes it in a place that its calls share"
)


def attack_interleaved(
    lab: Lab, function: Callable[..., Any], answer: Callable[[Any], Any], probes: Sequence[Any]
) -> None:
    """Each batch alone, and with the next one in between; reports the first that is answered otherwise.

    Parameters
    ----------
    function : callable
        Of the plugin, or what holds it: the lines of its file are where other batches come in.
    answer : callable
        ``probe -> value``.
    """
    with contextlib.suppress(Lost):  # other attacks tell what ends its process
        if elsewhere(functools.partial(_moved, _homes(function), answer, probes)):
            lab.fail("purity", WORDS)


def _homes(function: Callable[..., Any]) -> frozenset[str]:
    """Files in which lines are counted: the function's own, and where that is the kit's, that of what it holds."""
    found: set[str] = set()
    todo, seen = [function], set[int]()
    while todo:
        thing = todo.pop()
        if isinstance(thing, functools.partial):
            todo += [thing.func, *thing.args]
        elif isinstance(thing, types.FunctionType) and id(thing) not in seen:
            seen.add(id(thing))
            todo += sizes.cells_of(thing)
            found.add(thing.__code__.co_filename)
        elif attrs.has(kind := type(thing)):
            held = [getattr(thing, a.name) for a in attrs.fields(kind)]
            todo += [value for value in held if callable(value)]
    apart = (KIT, *(sysconfig.get_path(name) for name in INSTALLED))
    return frozenset(f for f in found if not f.startswith(apart))


def _moved(homes: frozenset[str], answer: Callable[[Any], Any], probes: Sequence[Any]) -> bool:
    alone = [fingerprint(answer(probe)) for probe in probes]
    for i, probe in enumerate(probes):
        for beside in (probes[(i + 1) % len(probes)], *_of_its_shape(probe)):
            other = functools.partial(answer, beside)
            if fingerprint(_between(homes, functools.partial(answer, probe), other)) != alone[i]:
                return True
    return False


def _of_its_shape(probe: Any) -> Iterator[Any]:
    """The probe with other rows, as many of as many columns: what is kept by shape is shared with these."""
    parts = probe if isinstance(probe, tuple) else (probe,)
    at = next((i for i, part in enumerate(parts) if isinstance(part, np.ndarray) and part.dtype.kind == "f"), None)
    if at is not None and parts[at].size:
        other = (1.5 - 3.0 * parts[at])[::-1].copy()
        yield (*parts[:at], other, *parts[at + 1 :]) if isinstance(probe, tuple) else other


def _between(homes: frozenset[str], first: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """What ``first`` answers if ``other`` is called by another thread at each of its lines."""
    threads: list[threading.Thread] = []
    lines = 0

    def line(frame: Any, event: str, _: Any) -> Any:
        nonlocal lines
        if frame.f_code.co_filename not in homes:
            return None
        lines += event == "line"
        waiting = sum(thread.is_alive() for thread in threads)
        if event == "line" and lines <= MOST_LINES and waiting < MOST_WAITING:
            threads.append(threading.Thread(target=_quietly, args=(other,), daemon=True))
            threads[-1].start()
            threads[-1].join(PATIENCE)
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        return first()
    finally:
        sys.settrace(before)
        for thread in threads:
            thread.join(PATIENCE)


def _quietly(task: Callable[[], Any]) -> None:
    with contextlib.suppress(Exception):
        task()
