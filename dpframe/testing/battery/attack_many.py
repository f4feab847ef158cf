"""Attacks on statistics of many rows: totals up to 2^40 rows, made by merging a fold with itself, and long batches.

What is wrong only above some count (an overflow, a float's rounding, a branch on size) shows on no table of ten rows.
Folds are merged as the engine merges those of its threads, so a table of 2^k equal parts costs k merges.
"""

from __future__ import annotations

import copy
import functools
import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from dpframe.kernel.operations import Statistic
from dpframe.kernel.own.base import Owned
from dpframe.proof.spaces import Edits, Metric
from dpframe.proof.spaces.checks import MOST_BITS, lattice_bits
from dpframe.testing.battery import metrics, sizes
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import Crash, Lab, call
from dpframe.testing.battery.tables import Row, batch, pool

DOUBLINGS = (3, 6, 10, 13, 17, 24, 31, 38)
EDGES = (24, 31, 53, 62, 63)
"""Powers of two at which numbers of a machine stop being exact, or wrap."""
LENGTHS = (99, 999, 9999)
MOST_LENGTH, LARGEST, SECONDS = 70_000, 1 << 17, 0.5
"""Rows of a batch; bytes of a fold that is not doubled any further, since it keeps its rows; CPU seconds."""


def attack_many(lab: Lab, case: Case, params: Sequence[Any], rows: Sequence[Row], level: int) -> None:
    """Neighbours that share so many rows; on the finest lattice too, where totals are largest."""
    if isinstance(case.operation, Owned):
        return
    cases = [(case, rows, level)]
    if any(a.name == "bits" and a.validator is lattice_bits for a in attrs.fields(type(case.operation))):
        finest = attrs.evolve(case, operation=attrs.evolve(case.operation, bits=MOST_BITS))  # type: ignore[call-arg]
        cases.append((finest, pool(case.domains[0], MOST_BITS, params, lab.rng), MOST_BITS))
    for one in cases:
        declared = metrics.by_edits(one[0].operation, one[0].domains)
        if not _attack(lab, params, declared, *one, time.process_time() + SECONDS):
            return


def _attack(
    lab: Lab,
    params: Sequence[Any],
    declared: Mapping[Edits, Sequence[Metric]],
    case: Case,
    rows: Any,
    level: int,
    end: float,
) -> bool:
    """Whether nothing was refuted, so that more may be tried."""
    operation: Statistic = case.operation  # type: ignore[assignment]
    picked = [rows[int(i)] for i in lab.rng.integers(len(rows), size=6)]
    corners = [*rows[1:5], *rows[1:5]]

    def value(fold: Any, part: Sequence[Row], known: dict[tuple[int, ...], Any]) -> Any:
        rows = tuple(map(id, part))  # several edits take the same rows away, or add them
        if rows not in known:
            mine = copy.deepcopy(fold)
            operation.update(mine, batch(part, case.domains[0], level), *params)
            known[rows] = operation.value(mine)
        return known[rows]

    for words, make in _folds(lab, case, params, rows, level):
        try:
            fold = call(make)
            if fold is None or time.process_time() > end:
                return True
            known: dict[tuple[int, ...], Any] = {}
            for e, made in declared.items():
                for edited in (picked, corners):
                    removed, added = edited[: e.removed], edited[3 : 3 + e.added]
                    first, second = (call(value, fold, part, known) for part in (removed, added))
                    found = metrics.excess(metrics.difference(first, second), made)
                    if found[0] > 1:
                        text = {"removed": [r.text for r in removed], "added": [r.text for r in added]}
                        message = f"neighbours under {e} among {words} are too far apart: {found[1]}"
                        lab.fail("sensitivity", message, case=case.text, **text)
                        return False
        except Crash as error:
            lab.fail("totality", f"gave {error} on {words}", case=case.text)
            return False
    return True


def _folds(lab: Lab, case: Case, params: Sequence[Any], rows: Sequence[Row], level: int) -> Iterator[tuple[str, Any]]:
    operation: Statistic = case.operation  # type: ignore[assignment]
    domain, few = case.domains[0], [rows[int(i)] for i in lab.rng.integers(len(rows), size=3)]
    known = [c for method in (type(operation).update, type(operation).value) for c in sizes.constants(method)]
    lengths = [*LENGTHS, *sizes.around(known, MOST_LENGTH)[:9]]

    def add(fold: Any, part: Sequence[Row]) -> Any:
        operation.update(fold, batch(part, domain, level), *params)
        return fold

    took = [0.0]

    def of(part: Sequence[Row]) -> Any:
        began = time.process_time()
        fold = add(operation.start(domain, *params), part)
        took[0] = (time.process_time() - began) / len(part)
        return fold

    for part in (*([few[0]] * length for length in sorted(lengths)), few * LENGTHS[-1]):
        if took[0] * len(part) < SECONDS / 4:  # else nothing is left for totals of many rows
            yield f"{len(part)} rows in one batch", functools.partial(of, part)
    mixed, equal = [of(few), 0], [of(rows[1:2]), 0]
    for power in DOUBLINGS:
        yield f"3·2^{power} rows", functools.partial(_doubled, mixed, power, lambda fold: fold)
    powers = {p - k * level for p in EDGES for k in (0, 1, 2)} & set(range(DOUBLINGS[-1] + 1))
    for power in sorted(powers):  # one less: the next row crosses
        yield f"2^{power} - 1 equal rows", functools.partial(_doubled, equal, power, lambda fold: add(fold, rows[1:2]))


def _doubled(state: list[Any], power: int, more: Callable[[Any], Any]) -> Any:
    """The fold merged with itself so many times, with ``more`` after each; None where it keeps its rows."""
    while state[1] < power:
        if len(pickle.dumps(state[0])) > LARGEST:
            return None
        state[0].merge(copy.deepcopy(state[0]))
        state[0] = more(state[0])
        state[1] += 1
    return state[0]
