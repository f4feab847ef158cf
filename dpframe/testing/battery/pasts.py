"""The same call with another past and in another world: what a plugin's function answers must not change."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256  # by its name: in a fork the module may hold others
from typing import Any

import attrs
import numpy as np

from dpframe.testing.battery import hashes
from dpframe.testing.battery.clocks import Steps, spent
from dpframe.testing.battery.endless import Calls, TooLong, followed, size_of
from dpframe.testing.battery.lab import Lab, fingerprint
from dpframe.testing.battery.looks import SET, VARIABLE, any_there, looking, named
from dpframe.testing.battery.memos import alike
from dpframe.testing.battery.planting import WAYS, compared
from dpframe.testing.battery.replacing import set_clock
from dpframe.testing.battery.reporting import plain
from dpframe.testing.battery.watching import watched
from dpframe.testing.battery.worlds import Heard, Lost, World, elsewhere

HOUR, DAY, STANDING = 3_600.0, 86_400.0, 1e-12
"""Seconds; the last so few that a clock that moves by them stands still."""
REPEATS, MOMENTS = 1500, 160
NAMES = ("rows", "x", "X", "table", "data", "values", "frame", "df", "y")
"""What a table may be called by whoever holds it."""
MOST_ALIKE = 8
"""Probes that are asked right after such as are like them."""
MOST_NAMED = 12
"""Files and variables that are tried alone, once the answer is known to change."""
DEAR = 0.25
"""Seconds of all probes from which on several differences share a world."""
LENGTHY = {False: 2.0, True: 0.25}
"""Seconds of all probes, and of brief ones, from which on only so many are asked in other worlds as take about that."""
STEPS = (12, 7, 17, *(i for i in range(1, 25) if i not in (7, 12, 17)))
CLOCK_SHIFTS = (*(25 * HOUR * i for i in STEPS), 1.0, 60.0, *(31 * DAY * i for i in range(1, 13)), 366 * DAY, 1e8)
"""Steps of a day and an hour meet all hours, all days of the week and most of the month; halves of the day first."""
WORLDS = (
    World("with other states of the global generators", seed=11),
    World("among other threads, processors, folders and loads", seed=12, crowded=True, busy=True),
    World("twelve days and a half later", seed=13, shift=12 * 25 * HOUR),
    World("where the clock runs fast", seed=14, pace=0.37, shift=7 * 25 * HOUR),
    World(
        "where the clock hardly moves and the machine has little",
        seed=15,
        pace=1e-5,
        shift=-40 * 365 * DAY - 7 * HOUR,
        scarce=True,
    ),
)
PLANTED = World("where files and variables that it looks for hold something", seed=10)
GONE = World("where files and variables that it looks at are gone", seed=16, gone=True)
Answer = Callable[[Any], Any]
Label = Callable[[Any], Mapping[str, Any]] | None
_CALLS = Calls()
"""In each fork anew."""
AGAIN = "when it is asked again (threads and timers, if it has any, had their turn)"


@attrs.frozen
class _First:
    """Answers in a fresh process, CPU seconds, what was written outside, looked for there, and printed of the probes.

    ``changed`` is the place of a probe that is answered otherwise the second time, −1 where none is; ``short`` whether
    a short part of a hash was taken.
    """

    answers: list[bytes]
    took: float
    written: str
    found: tuple[str, ...]
    spoken: str
    changed: int
    short: bool


def attack(
    lab: Lab,
    answer: Answer,
    probes: Sequence[Any],
    histories: Sequence[tuple[str, list[Any]]],
    *,
    seconds: float = 1.0,
    files: bool = True,
    brief: bool = False,
    often: bool = False,
    private: bool = True,
    apart: bool = False,
    label: Label = None,
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
    often : bool
        Whether what is ``brief`` and quick is asked many times and at many times, too.
    private : bool
        Whether probes hold what a table's rows may tell, so that no stream may speak of it.
    apart : bool
        Whether runs call it in processes of their own, which it may end.
    label : callable, optional
        What is shown of a probe, by name.
    """
    lab.ran("purity")
    seen: list[_First] = []
    try:
        with followed([*probes, *(probe for _, past in histories for probe in past)], label):
            found = _different(answer, probes, histories, seconds, seen, brief=brief, often=often)
    except Lost as error:
        lab.lost(error, "it was not attacked in all other processes: ", apart=apart)
    else:
        if found is not None:
            _report(lab, *found, label)
            return
        if private and seen[0].spoken:
            said = "it prints what depends on what it is given, where whoever runs it reads that"
            lab.fail("purity", said, printed=seen[0].spoken)
    if files and seen and seen[0].written:
        lab.fail("purity", f"it writes what it is given, or something of it, elsewhere: {seen[0].written}")


def _different(
    answer: Answer,
    probes: Sequence[Any],
    histories: Sequence[tuple[str, list[Any]]],
    seconds: float,
    seen: list[_First],
    *,
    brief: bool,
    often: bool,
) -> tuple[str, Any, str] | None:
    """The first world in which a probe has another answer, in words, the probe, and the cause if it is known.

    ``seen`` gets the first answers.
    """
    first = elsewhere(lambda: _first(answer, probes, once=brief), World("first", seed=10))
    seen.append(first)
    base, took, found = first.answers, first.took, first.found
    if first.changed >= 0:
        return AGAIN, probes[first.changed], ""
    tasks = _few_tasks if brief or took > DEAR else _tasks
    probes = probes[: len(base)]
    if took > LENGTHY[brief]:
        probes = probes[: max(1, int(len(probes) * LENGTHY[brief] / took))]
        base = base[: len(probes)]
    more = (*_planted(found), *([GONE] if any_there(found) else [])) if found else ()
    last: list[tuple[str, Any, World]] = [(world.words, lambda: answers(answer, probes), world) for world in more]
    if brief and often and took <= DEAR:
        late = ("after many calls, or at another time", lambda: _often_and_late(answer, probes, seconds))
        last.append((*late, World("", seed=30)))
    if first.short and _confused(answer, probes):
        return "where short parts of hashes are the same for all, and another came first", probes[0], ""
    for words, task, world in itertools.chain(tasks(answer, probes, histories, seconds), last):
        others = elsewhere(task, attrs.evolve(world, found=found))
        different = [i for i, (a, b) in enumerate(zip(base, others, strict=True)) if a != b]
        if different:
            at = different[0]
            return words, probes[at], _cause(answer, probes[at], base[at], found)
    return None


def _tasks(answer: Answer, probes: Sequence[Any], histories: Sequence[tuple[str, list[Any]]], seconds: float) -> Any:
    yield (
        "as in a run (a table is open and named by the command), in another order of the batches",
        lambda: _turned(answer, probes),
        World("", 10, running=True),
    )
    for world in WORLDS:
        ask = _in_a_thread if world.crowded else answers
        yield world.words, lambda ask=ask: ask(answer, probes), world
    for at, (words, past) in enumerate(histories):
        yield words, lambda past=past: _after(answer, past, probes, seconds), World(words, seed=20 + at)
    yield "after many calls", lambda: _often(answer, probes, seconds), World("", seed=30)
    yield "at another time", lambda: _moments(answer, probes, seconds), World("", seed=31)


def _few_tasks(
    answer: Answer, probes: Sequence[Any], histories: Sequence[tuple[str, list[Any]]], seconds: float
) -> Any:
    """As :func:`_tasks`, for what takes long: everything different at once, then the clocks; all at other hours."""
    past = [probe for _, earlier in histories for probe in earlier[:3]]
    words = "as in a run, in another order, among other threads, days later"
    turned = World("", seed=12, crowded=True, shift=WORLDS[2].shift, running=True)
    yield words, lambda: _in_a_thread(answer, probes, _turned), turned
    yield "after other batches", lambda: _after(answer, past, probes, seconds), World("", seed=20)
    for world in WORLDS[-2:]:
        yield world.words, lambda: answers(answer, probes), world


def _turned(answer: Answer, probes: Sequence[Any]) -> list[bytes]:
    """In another order; where rows are, in a run: among what callers and containers hold."""
    rows = np.arange(4002.0).reshape(2001, 2) + 0.5
    held: dict[str, Any] = {**dict.fromkeys(NAMES, rows), "batches": [rows[:1000], rows[1000:]]}
    return _beneath(rows, held, answer, probes)


def _beneath(rows: Any, held: Any, answer: Answer, probes: Sequence[Any]) -> list[bytes]:
    """The answers; what a function finds in this frame, and in that of whoever calls it, is a table."""
    found = answers(answer, probes[::-1])[::-1]
    del rows, held  # not before
    return found


def _first(answer: Answer, probes: Sequence[Any], *, once: bool) -> _First:
    """All is asked twice, or ``once`` where that takes long; what is printed counts where it is the same both times."""
    heard, changed, short = Heard(), -1, hashes.tell()
    with watched() as watch, looking() as sought:
        begin = spent()
        answers, texts = _heard(answer, probes, heard, LENGTHY[once] if once else math.inf)
        took, again, probes = spent() - begin, [b""], probes[: len(answers)]
        if took <= DEAR or not once:
            watch.settle()
            begin = spent()
            others, again = _heard(answer, probes, heard)
            took = min(took, spent() - begin)  # the machine may have stood still in one of them
            changed = next((i for i, (old, new) in enumerate(zip(answers, others, strict=True)) if old != new), -1)
            if texts != again:  # it may tell the time as well
                set_clock(0.0, STANDING)
                texts, again = (_heard(answer, probes, heard)[1] for _ in range(2))
    told = len({*texts}) > 1 and texts == again
    spoken = max(texts, key=len).decode(errors="replace")[:200] if told else ""
    written = [*watch.seen, *sorted(os.listdir(tempfile.gettempdir()))]
    return _First(answers, took, written[0] if written else "", tuple(sought), spoken, changed, short())


def _heard(
    answer: Answer, probes: Sequence[Any], heard: Heard, most: float = math.inf
) -> tuple[list[bytes], list[bytes]]:
    """Answers, and what is printed meanwhile, probe by probe, until ``most`` seconds are over."""
    made, begin = list[tuple[bytes, bytes]](), spent()
    for probe in probes:
        made.append((_digest(answer, probe), heard.since()))
        if spent() - begin > most:
            break
    return [digest for digest, _ in made], [text for _, text in made]


def _planted(found: Sequence[str]) -> list[World]:
    """Where something is planted; beside several contents, variables say what the plugin compares texts with."""
    more = len(compared()) if any(words.startswith((VARIABLE, SET)) for words in found) else 0
    return [attrs.evolve(PLANTED, planted=1 + way) for way in range(len(WAYS) + more)]


def _cause(answer: Answer, probe: Any, base: bytes, found: Sequence[str]) -> str:
    """The first of what it looks at by which alone its answer changes, in words; empty where there is none.

    What answers otherwise without any of them depends on something else.
    """

    def changed(world: World, *alone: str) -> bool:
        return elsewhere(lambda: _digest(answer, probe), attrs.evolve(world, found=alone)) != base

    with contextlib.suppress(Lost):  # that it answers otherwise is known
        for world in (*_planted(found), GONE) if found else ():
            if changed(world):
                return ""
            for one in found[:MOST_NAMED]:
                if changed(world, one):
                    return named(one)
    return ""


def _report(lab: Lab, words: str, probe: Any, cause: str, label: Label) -> None:
    why = f"{cause}, and so" if cause else "it keeps state, or"
    where = "elsewhere" if cause else words
    said = f"the same input has another answer {where}: {why} looks at more than what it is given"
    lab.fail("purity", said, **(label(probe) if label else {"input": plain(probe)}))


def _digest(answer: Answer, probe: Any) -> bytes:
    try:
        with np.errstate(all="ignore"):
            made = _CALLS.ask(answer, probe, size=size_of(probe), key=id(probe))
            value = fingerprint(made)
    except (KeyboardInterrupt, TooLong):
        raise
    except BaseException as error:  # noqa: BLE001  what it raises is its answer
        value = type(error).__name__.encode()
    return sha256(value).digest()


def answers(answer: Answer, probes: Sequence[Any]) -> list[bytes]:
    """A digest of what is answered to each, or of what is raised."""
    return [_digest(answer, probe) for probe in probes]


def _in_a_thread(answer: Answer, probes: Sequence[Any], ask: Callable[..., list[bytes]] = answers) -> list[bytes]:
    """The answers in a thread of its own: what was set for the one that imported the function isn't set in others."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask, answer, probes).result()


def _after(answer: Answer, past: list[Any], probes: Sequence[Any], seconds: float) -> list[bytes]:
    steps = Steps(seconds)
    for probe in past:
        _digest(answer, probe)
        if steps.over():
            break
    return answers(answer, probes)


def _confused(answer: Answer, probes: Sequence[Any]) -> bool:
    """Whether the order of the probes counts where short parts of hashes are the same for all."""

    def asked(step: int) -> list[bytes]:
        hashes.tell(alike=True)
        return answers(answer, probes[::step])[::step]

    one, other = (elsewhere(lambda step=step: asked(step), World("", seed=10)) for step in (1, -1))  # type: ignore[misc]
    return one != other


def _often(answer: Answer, probes: Sequence[Any], seconds: float) -> list[bytes]:
    """The first probe many times over: the first other answer to it stands for it."""
    first = _digest(answer, probes[0])
    steps = Steps(seconds)
    for _ in range(REPEATS):
        again = _digest(answer, probes[0])
        if again != first:
            first = b"changed"
            break
        if steps.over():
            break
    others = _beside_alike(answer, probes, seconds)
    return [first, *others[1:]] if first == b"changed" else others


def _often_and_late(answer: Answer, probes: Sequence[Any], seconds: float) -> list[bytes]:
    found = _often(answer, probes, seconds / 2)
    return found if b"changed" in found else _moments(answer, probes, seconds / 2)


def _beside_alike(answer: Answer, probes: Sequence[Any], seconds: float) -> list[bytes]:
    """Each of the first probes right after one that is like it: what keeps its last answer alone may give that.

    Another one comes before, for that to be forgotten.
    """
    found, steps = answers(answer, probes), Steps(seconds / 8)
    for i, probe in enumerate(probes[:MOST_ALIKE]):
        for other in _likes(probe):
            _digest(answer, probes[i - 1])
            _digest(answer, other)
            if _digest(answer, probe) != found[i]:
                found[i] = b"changed"
                return found
        if i and steps.over():
            break
    return found


def _likes(probe: Any) -> Iterator[Any]:
    """Probes with other arrays in the places of all of a probe's own, or of one, that a memo may take for these."""
    parts = probe if isinstance(probe, tuple) else (probe,)
    at = [i for i, part in enumerate(parts) if isinstance(part, np.ndarray)]
    for places in (at, *((i,) for i in at if len(at) > 1)):
        for others in zip(*(alike(parts[i]) for i in places), strict=False) if places else ():
            made = list(parts)
            for i, other in zip(places, others, strict=True):
                made[i] = other
            yield tuple(made) if isinstance(probe, tuple) else made[0]


def _moments(answer: Answer, probes: Sequence[Any], seconds: float) -> list[bytes]:
    """All probes at all hours and days, three shifts at least; then the first at many times, from seconds to years."""
    move = set_clock(0.0)
    found = answers(answer, probes)
    different: list[int] = []
    steps = Steps(seconds / 2)
    for count, shift in enumerate(CLOCK_SHIFTS):
        if different or (steps.over() and count > 2):
            break
        move(shift)
        different = [i for i, (old, new) in enumerate(zip(found, answers(answer, probes), strict=True)) if old != new]
    steps = Steps(seconds / 2)
    for shift in 10 ** np.random.default_rng(0).uniform(-1, 8, MOMENTS):
        if different or steps.over():
            break
        move(float(shift))
        different = [0] if _digest(answer, probes[0]) != found[0] else []
    return [b"changed" if i in different else digest for i, digest in enumerate(found)]
