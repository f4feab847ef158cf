"""The same call with another past and in another world: what a plugin's function answers must not change."""

from __future__ import annotations

import hashlib
import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.testing.battery.lab import Lab, fingerprint
from dpframe.testing.battery.looks import any_there, looking
from dpframe.testing.battery.reporting import plain
from dpframe.testing.battery.worlds import Lost, World, elsewhere, set_clock, watched

HOUR, DAY = 3_600.0, 86_400.0
REPEATS, MOMENTS = 1500, 160
DEAR = 0.25
"""CPU seconds of all probes from which on several differences share a world."""
STEPS = (12, 7, 17, *(i for i in range(1, 25) if i not in (7, 12, 17)))
CLOCK_SHIFTS = (*(25 * HOUR * i for i in STEPS), 1.0, 60.0, *(31 * DAY * i for i in range(1, 13)), 366 * DAY, 1e8)
"""Steps of a day and an hour meet all hours, all days of the week and most of the month; halves of the day first."""
WORLDS = (
    World("with other states of the global generators", seed=11),
    World("among other threads, processors, folders and loads", seed=12, crowded=True),
    World("twelve days and a half later", seed=13, shift=12 * 25 * HOUR),
    World("where the clock runs fast", seed=14, pace=0.37, shift=7 * 25 * HOUR),
    World("where the clock hardly moves", seed=15, pace=1e-5, shift=-40 * 365 * DAY - 7 * HOUR),
)
Answer = Callable[[Any], Any]


def attack(
    lab: Lab,
    answer: Answer,
    probes: Sequence[Any],
    histories: Sequence[tuple[str, list[Any]]],
    *,
    seconds: float = 1.0,
    files: bool = True,
    brief: bool = False,
) -> None:
    """Compare the answers to ``probes`` in a fresh process with those of other worlds; report the first difference.

    Parameters
    ----------
    answer : callable
        ``probe -> value``; whatever it raises is part of its answer.
    histories : sequence of (str, list)
        Probes that are asked before, by name.
    seconds : float
        CPU seconds of each world's history and repetitions.
    files : bool
        Whether a file opened for writing is a failure, too.
    brief : bool
        Several differences at once, in fewer worlds.
    """
    lab.ran("purity")
    written = ""
    try:
        base, took, written, found = elsewhere(lambda: _first(answer, probes, once=brief), World("first", seed=10))
        tasks = _few_tasks if brief or took > DEAR else _tasks
        gone = World("where files and variables that it looks at are gone", seed=16, gone=True)
        last = [(gone.words, lambda: _answers(answer, probes), gone)] if any_there(found) else []
        for words, task, world in itertools.chain(tasks(answer, probes, histories, seconds), last):
            answers = elsewhere(task, attrs.evolve(world, found=found))
            different = [i for i, (a, b) in enumerate(zip(base, answers, strict=True)) if a != b]
            if different:
                _report(lab, words, probes[different[0]])
                return
    except Lost as error:
        lab.skip(f"it was not attacked in all other processes: {error}")
    if files and written:
        lab.fail("purity", f"it writes what it is given, or something of it, elsewhere: {written}")


def _tasks(answer: Answer, probes: Sequence[Any], histories: Sequence[tuple[str, list[Any]]], seconds: float) -> Any:
    base = World("", seed=10)
    yield "in another order of the batches", lambda: _turned(answer, probes), base
    for world in WORLDS:
        yield world.words, lambda: _answers(answer, probes), world
    for at, (words, past) in enumerate(histories):
        yield words, lambda past=past: _after(answer, past, probes, seconds), World(words, seed=20 + at)
    yield "after many calls", lambda: _often(answer, probes, seconds), World("", seed=30)
    yield "at another time", lambda: _moments(answer, probes, seconds), World("", seed=31)


def _few_tasks(
    answer: Answer, probes: Sequence[Any], histories: Sequence[tuple[str, list[Any]]], seconds: float
) -> Any:
    """As :func:`_tasks`, for what takes long: everything different at once, then the clocks; all at other hours."""
    past = [probe for _, earlier in histories for probe in earlier[:3]]
    turned = World("", seed=12, crowded=True, shift=WORLDS[2].shift)
    yield "in another order, among other threads and folders, days later", lambda: _turned(answer, probes), turned
    yield "after other batches", lambda: _after(answer, past, probes, seconds), World("", seed=20)
    for world in WORLDS[-2:]:
        yield world.words, lambda: _answers(answer, probes), world


def _turned(answer: Answer, probes: Sequence[Any]) -> list[bytes]:
    return _answers(answer, probes[::-1])[::-1]


def _first(answer: Answer, probes: Sequence[Any], *, once: bool) -> tuple[list[bytes], float, str, tuple[str, ...]]:
    """Answers, CPU seconds, what was written outside, and what was looked for there.

    All is asked twice, or ``once`` where that takes long.
    """
    with watched() as seen, looking() as sought:
        begin = time.process_time()
        answers = _answers(answer, probes)
        took = time.process_time() - begin
        if took <= DEAR or not once:
            _answers(answer, probes)
    return answers, took, seen[0] if seen else "", tuple(sought)


def _report(lab: Lab, words: str, probe: Any) -> None:
    shown = plain(probe)
    lab.fail(
        "purity",
        f"the same input has another answer {words}: it keeps state, or looks at more than what it is given",
        input=shown,
    )


def _digest(answer: Answer, probe: Any) -> bytes:
    try:
        with np.errstate(all="ignore"):
            value = fingerprint(answer(probe))
    except Exception as error:  # noqa: BLE001  what it raises is its answer
        value = type(error).__name__.encode()
    return hashlib.sha256(value).digest()


def _answers(answer: Answer, probes: Sequence[Any]) -> list[bytes]:
    return [_digest(answer, probe) for probe in probes]


def _after(answer: Answer, past: list[Any], probes: Sequence[Any], seconds: float) -> list[bytes]:
    end = time.process_time() + seconds
    for probe in past:
        _digest(answer, probe)
        if time.process_time() > end:
            break
    return _answers(answer, probes)


def _often(answer: Answer, probes: Sequence[Any], seconds: float) -> list[bytes]:
    """The first probe many times over: the first other answer to it stands for it."""
    end = time.process_time() + seconds
    first = _digest(answer, probes[0])
    for _ in range(REPEATS):
        again = _digest(answer, probes[0])
        if again != first:
            first = b"changed"
            break
        if time.process_time() > end:
            break
    return [first, *_answers(answer, probes[1:])]


def _moments(answer: Answer, probes: Sequence[Any], seconds: float) -> list[bytes]:
    """All probes at all hours and days, three shifts at least; then the first at many times, from seconds to years."""
    process_time = time.process_time
    begin = process_time()
    move = set_clock(0.0)
    found = _answers(answer, probes)
    different: list[int] = []
    for count, shift in enumerate(CLOCK_SHIFTS):
        if different or (count > 2 and process_time() > begin + seconds / 2):
            break
        move(shift)
        different = [i for i, (old, new) in enumerate(zip(found, _answers(answer, probes), strict=True)) if old != new]
    for shift in 10 ** np.random.default_rng(0).uniform(-1, 8, MOMENTS):
        if different or process_time() > begin + seconds:
            break
        move(float(shift))
        different = [0] if _digest(answer, probes[0]) != found[0] else []
    return [b"changed" if i in different else digest for i, digest in enumerate(found)]
