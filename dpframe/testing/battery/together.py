"""The functions of one file, one after another: what one of them leaves behind, no other may read.

A row function can leave something of the rows in its module, and a post that is given released values alone can find it
there. So each function answers once with nothing called before, and once after all others, in processes of their own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import attrs

from dpframe.testing.battery.fresh import calls, digest, private_calls
from dpframe.testing.battery.reporting import Failure, Report
from dpframe.testing.battery.worlds import Lost, elsewhere

SIZES = (1.0, 997.0)
"""How large the inputs of the calls before are."""
SECONDS = 2.0
"""CPU seconds of the calls before, for each function."""
WORDS = (
    "the same input has another answer after other functions of its file were called: "
    "one leaves something behind that this one reads, and it may be of the rows"
)


def moved_by_others(path: Path) -> frozenset[str]:
    """Names of what a file registers that answers otherwise once the file's other functions were called.

    Called in a process where none of them was called yet. What takes too long, or ends its process, is left out: other
    attacks report that.
    """
    names, private = {name for name, _ in calls(path)}, {name for name, _ in private_calls(path)}
    return frozenset(name for name in names if private - {name} and _moved(path, name))


def refuted(names: frozenset[str], reports: Sequence[Report]) -> list[Report]:
    """The reports, with a failure for each of these names that has none of its kind."""
    return [_refuted(r) if r.name in names and "purity" not in {f.layer for f in r.failures} else r for r in reports]


def _refuted(report: Report) -> Report:
    layers = tuple(dict.fromkeys((*report.layers, "purity")))
    return attrs.evolve(report, failures=(*report.failures, Failure("purity", WORDS, {})), layers=layers)


def _moved(path: Path, name: str) -> bool:
    try:
        return elsewhere(lambda: _answer(path, name)) != elsewhere(lambda: _after(path, name))
    except Lost:
        return False


def _answer(path: Path, name: str) -> str:
    return digest(next(made for known, made in calls(path) if known == name))


def _after(path: Path, name: str) -> str:
    end = time.process_time() + SECONDS
    for size in SIZES:
        for known, made in private_calls(path, size):
            if known != name and time.process_time() < end:
                digest(made)
    return _answer(path, name)
