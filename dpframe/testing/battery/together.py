"""The functions of one file, one after another: what one of them leaves behind, no other may read.

A row function can leave something of the rows in its module, and a post that is given released values alone can find it
there. So each function answers once with nothing called before, and once after all others, in processes of their own.
And what a file claims, a sensitivity, a loss or a cost, is asked of it before and after all its functions were called:
a plan asks before a row was read, so that a claim which learns from rows is true too late.
"""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from dpframe.kernel import registry
from dpframe.kernel.owned import OWNED, Own
from dpframe.testing.battery.fresh import calls, digest, private_calls
from dpframe.testing.battery.registered import registers
from dpframe.testing.battery.reporting import Failure, Report
from dpframe.testing.battery.worlds import Lost, elsewhere

SIZES = ((1.0, 997.0), (-1e-7, 1e7), (-5.0,))
"""How large the inputs of the calls before are, of three worlds: what is left behind may be of the last call alone."""
SECONDS = 2.0
"""CPU seconds of the calls before, for each function."""
WORDS = (
    "the same input has another answer after other functions of its file were called: "
    "one leaves something behind that this one reads, and it may be of the rows"
)
NOISES, DISTANCES = (0.5, 1.3718, 8.0), (1.0, 3.0)
"""At which claims are asked for: noise, and distances or numbers of rows."""
LEARNED = (
    "it claims something else once the functions of its file were called: a plan asks before any row was read, "
    "so a claim must be a function of public numbers alone"
)


def moved_by_others(path: Path) -> frozenset[str]:
    """Names of what a file registers that answers otherwise once the file's other functions were called.

    Called in a process where none of them was called yet. What takes too long, or ends its process, is left out: other
    attacks report that.
    """
    names, private = {name for name, _ in calls(path)}, {name for name, _ in private_calls(path)}
    return frozenset(name for name in names if private - {name} and _moved(path, name))


def claims_moved(path: Path) -> frozenset[str]:
    """Names of what a file registers that claims something else once the file's functions were called.

    Called in a process where none of them was called yet.
    """
    try:
        before = elsewhere(lambda: _claimed(path))
        after = elsewhere(lambda: _claimed_late(path)) if before else before
    except Lost:
        return frozenset()
    return frozenset(name for name, told in before.items() if after[name] != told)


def refuted(names: frozenset[str], reports: Sequence[Report], words: str = WORDS) -> list[Report]:
    """The reports, with a failure for each of these names that has none of its kind."""
    known = {r.name for r in reports if "purity" in {f.layer for f in r.failures}}
    return [_refuted(r, words) if r.name in names - known else r for r in reports]


def _refuted(report: Report, words: str) -> Report:
    layers = tuple(dict.fromkeys((*report.layers, "purity")))
    return attrs.evolve(report, failures=(*report.failures, Failure("purity", words, {})), layers=layers)


def _claimed(path: Path) -> dict[str, str]:
    """Digests of what each operation of one's own and each mask of the file claims, by name."""
    mine = {n: known for n, known in OWNED.items() if registers(path, "own operation", n, known.function)}
    found = {name: digest(_claims(known)) for name, known in mine.items()}
    for name, kind, function in registry.all_others():
        if kind == "mask" and registers(path, kind, name, function):
            cost = registry.find("mask", name).cost
            found[name] = digest(functools.partial(cost, noise, r) for noise in NOISES for r in DISTANCES)
    return found


def _claims(known: Own) -> Iterator[Callable[[], Any]]:
    """What it is declared with, and its claim, in all ways of which one or another fits."""
    yield lambda: known.fields(known.settings(known.examples))
    claim, told = known.claim, known.examples
    if claim is None:
        return
    for far in DISTANCES:
        near = dict.fromkeys(("l1", "l2", "linf"), far)
        rows = int(far)
        yield from (functools.partial(claim, *edits, **told) for edits in ((rows, rows), (rows, 0), (0, rows)))
        yield from (functools.partial(claim, *[near] * count, **told) for count in (1, 2, 3))
        yield from (functools.partial(claim, noise, far, **told) for noise in NOISES)
        yield from (functools.partial(claim, noise, rows, rows, **told) for noise in NOISES)


def _claimed_late(path: Path) -> dict[str, str]:
    """The same, after all of its functions were called."""
    end = time.process_time() + SECONDS
    for size in itertools.chain(*SIZES):
        for _, made in private_calls(path, size):
            if time.process_time() < end:
                digest(made)
    return _claimed(path)


def _moved(path: Path, name: str) -> bool:
    try:
        alone = elsewhere(lambda: _answer(path, name))
        return any(elsewhere(functools.partial(_after, path, name, world)) != alone for world in SIZES)
    except Lost:
        return False


def _answer(path: Path, name: str) -> str:
    return digest(next(made for known, made in calls(path) if known == name))


def _after(path: Path, name: str, world: Sequence[float]) -> str:
    end = time.process_time() + SECONDS / len(SIZES)
    for size in world:
        for known, made in private_calls(path, size):
            if known != name and time.process_time() < end:
                digest(made)
    return _answer(path, name)
