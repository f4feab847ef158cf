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

DAY = 86_400.0
REPEATS, MOMENTS = 1500, 160
DEAR = 0.25
"""CPU seconds of all probes from which on several differences share a world."""
WORLDS = (
    World("with other states of the global generators", seed=11),
    World("among other threads, processors, folders and loads", seed=12, crowded=True),
    World("a day later", seed=13, shift=DAY),
    World("where the clock runs fast", seed=14, pace=0.37),
    World("where the clock hardly moves", seed=15, pace=1e-5, shift=-40 * 365 * DAY),
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
    """As :func:`_tasks`, for what takes long: everything different at once, then the clocks."""
    past = [probe for _, earlier in histories for probe in earlier[:3]]
    turned = World("", seed=12, crowded=True, shift=DAY)
    yield "in another order, among other threads and folders, a day later", lambda: _turned(answer, probes), turned
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
    """The first probe at many times, from seconds to years away."""
    process_time = time.process_time
    end = process_time() + seconds
    move = set_clock(0.0)
    first = _digest(answer, probes[0])
    rng = np.random.default_rng(0)
    for shift in [1.0, 60.0, 3600.0, DAY / 2, DAY, 7 * DAY, *(10 ** rng.uniform(-1, 8, MOMENTS)).tolist()]:
        move(shift)
        if _digest(answer, probes[0]) != first:
            first = b"changed"
            break
        if process_time() > end:
            break
    move(0.0)
    return [first, *_answers(answer, probes[1:])]
