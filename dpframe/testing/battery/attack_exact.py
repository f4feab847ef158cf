"""Attacks on exact private values: statistics of rows, and queries of values, against the cited theorem.

The search for the worst neighbours is random first, among corners and edges of the domain, then climbs: it exchanges
one row at a time and keeps what moves the value further. Distances and bounds are compared as rational numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Exact, Statistic
from dpframe.proof.spaces import Domain, Edits, Metric, Scores, SparseCounts, Table
from dpframe.testing.battery import metrics
from dpframe.testing.battery.attack_many import attack_many
from dpframe.testing.battery.attack_queries import cells_problem, step_problem
from dpframe.testing.battery.attack_rows import bits_of
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.lab import AGAIN, NEAREST, Crash, Lab, call, copied, fingerprint, shrink
from dpframe.testing.battery.tables import Row, batch, bounded, empty, pool, simpler

CLIMB = 30
"""Steps of the climb, per random start kept."""


@attrs.frozen(eq=False)
class Pair:
    """Two neighbouring tables: what they share, what only the first has, what only the second has."""

    common: tuple[Row, ...]
    removed: tuple[Row, ...]
    added: tuple[Row, ...]

    @property
    def first(self) -> list[Row]:
        """The table before."""
        return [*self.common, *self.removed]

    @property
    def second(self) -> list[Row]:
        """The table after."""
        return [*self.common, *self.added]


def evaluate(case: Case, params: Sequence[Any], batches: Sequence[Any]) -> Exact:
    """The statistic of these batches."""
    operation: Statistic = case.operation  # type: ignore[assignment]
    fold = operation.start(case.domains[0], *params)
    for part in batches:
        operation.update(fold, part, *params)
    return operation.value(fold)


def value_of(case: Case, params: Sequence[Any], rows: Sequence[Row], bits: int) -> Exact:
    """The statistic of one table."""
    return evaluate(case, params, [batch(rows, case.domains[0], bits)])


def attack_statistic(lab: Lab, case: Case) -> None:
    """Sensitivity, order, totality, domain, purity."""
    if isinstance(case.operation.output(*case.domains), Table):
        _attack_rows(lab, case)
        return
    lab.ran("sensitivity", "order", "totality", "domain", "purity")
    bits = bits_of(case)
    levels = (bits, max(1, bits - 2), min(26, bits + 3)) if bounded(case.domains[0]) else (bits,)
    declared = metrics.by_edits(case.operation, case.domains)
    steps: set[Fraction] = set()
    worst: dict[Edits, tuple[Fraction, str]] = {}
    for i in lab.rounds():
        params, level = lab.params(case, i), levels[i % len(levels)]
        given = fingerprint(list(params))
        rows = pool(case.domains[0], level, params, lab.rng)
        if not _total(lab, case, params, rows, level):
            return
        _order(lab, case, params, rows, level)
        if fingerprint(list(params)) != given:
            lab.fail("purity", "it writes into the released values that it is given", case=case.text)
        steps.add(_domain(lab, case, params, rows, level))
        for e, made in declared.items():
            _climb(lab, case, params, rows, (e, made, level), worst)
        if i < 2:
            attack_many(lab, case, params, rows, level)
    if len(steps) > 1:
        found = [str(s) for s in sorted(steps)]
        lab.fail("domain", "the lattice's step depends on the rows or released values", case=case.text, steps=found)
    for e, (ratio, what) in worst.items():
        if e in metrics.EDITS[:2] and ratio:
            lab.note(f"{NEAREST} under {e}: {what}")


def _attack_rows(lab: Lab, case: Case) -> None:
    """All rows as one value: the same bits whatever their order, and every row once."""
    lab.ran("order", "domain")
    for _ in lab.rounds():
        rows = pool(case.domains[0], 1, (), lab.rng)
        order = [rows[int(i)] for i in lab.rng.permutation(len(rows))]
        first, other = (value_of(case, (), table, 1).integers for table in (rows, order))
        valid = sorted(tuple(float(x) + 0.0 for x in r.values) for r in rows if r.valid)
        if fingerprint(first) != fingerprint(other):
            lab.fail("order", "the rows are not the same in another order", rows=[r.text for r in rows[:8]])
        if sorted(map(tuple, first.tolist())) != valid:
            lab.fail("domain", "the rows are not those of the table", rows=[r.text for r in rows[:8]])


# ---------------------------------------------------------------------------------------- sensitivity


def _climb(
    lab: Lab,
    case: Case,
    params: Sequence[Any],
    rows: list[Row],
    target: tuple[Edits, Sequence[Metric], int],
    worst: dict[Edits, tuple[Fraction, str]],
) -> None:
    e, made, level = target

    def score(pair: Pair) -> tuple[Fraction, str]:
        a, b = (value_of(case, params, table, level) for table in (pair.first, pair.second))
        return metrics.excess(metrics.difference(a, b), made)

    def some(count: int) -> tuple[Row, ...]:
        return tuple(rows[int(i)] for i in lab.rng.integers(len(rows), size=count))

    starts = [Pair(some(int(lab.rng.integers(4))), some(e.removed), some(e.added)) for _ in range(6)]
    best = max(starts, key=lambda p: score(p)[0])
    top = score(best)
    for _ in range(CLIMB):
        if lab.late or top[0] > 1:
            break
        other = _moved(lab, best, rows)
        found = score(other)
        if found[0] > top[0]:
            best, top = other, found
    if top[0] > worst.get(e, (Fraction(-1), ""))[0]:
        worst[e] = top
    if top[0] > 1:
        _report(lab, case, params, best, (e, made, level))


def _moved(lab: Lab, pair: Pair, rows: list[Row]) -> Pair:
    """One row exchanged, a common row added or dropped."""
    name = ("common", "removed", "added")[int(lab.rng.integers(3))]
    part = list(getattr(pair, name))
    if name == "common" and (not part or lab.rng.random() < 0.5):
        part = part[1:] if part and lab.rng.random() < 0.3 else [*part, rows[int(lab.rng.integers(len(rows)))]][-6:]
    elif part:
        part[int(lab.rng.integers(len(part)))] = rows[int(lab.rng.integers(len(rows)))]
    return attrs.evolve(pair, **{name: tuple(part)})


def _report(
    lab: Lab, case: Case, params: Sequence[Any], pair: Pair, target: tuple[Edits, Sequence[Metric], int]
) -> None:
    e, made, level = target

    def score(common: Sequence[Row], removed: Sequence[Row], added: Sequence[Row]) -> tuple[Fraction, str]:
        a, b = (value_of(case, params, [*common, *part], level) for part in (removed, added))
        return metrics.excess(metrics.difference(a, b), made)

    def easier(row: Row) -> list[Row]:
        return simpler(row, case.domains[0])

    common = shrink(pair.common, lambda c: score(c, pair.removed, pair.added)[0] > 1, easier)
    edited = [*pair.removed, *pair.added]

    def still(part: list[Row]) -> bool:
        return len(part) == e.total and score(common, part[: e.removed], part[e.removed :])[0] > 1

    edited = shrink(edited, still, easier)
    ratio, what = score(common, edited[: e.removed], edited[e.removed :])
    found = f"neighbours under {e} are too far apart: {what}"
    if ratio <= 1:  # it is not the same each time that it is asked
        found = f"neighbours under {e} were too far apart, and asked again they are not: {AGAIN}"
    lab.fail(
        "sensitivity",
        f"{found} (theorem {case.operation.theorem!r})",
        case=case.text,
        common_rows=[r.text for r in common],
        removed=[r.text for r in edited[: e.removed]],
        added=[r.text for r in edited[e.removed :]],
        **({"released": list(params)} if params else {}),
        **({"lattice_bits": level} if bounded(case.domains[0]) else {}),
    )


# -------------------------------------------------------------------------------- order, totality, domain


def _total(lab: Lab, case: Case, params: Sequence[Any], rows: list[Row], level: int) -> bool:
    """No exception or warning; a refusal of released values alone is fine."""

    def crash(chosen: Sequence[Row]) -> str:
        try:
            exact = call(value_of, case, params, chosen, level)
            if not isinstance(exact.integers, list):
                metrics.integers(exact)
        except (Crash, TypeError) as error:
            return str(error)
        return ""

    try:
        call(value_of, case, params, [], level)
    except Crash as error:
        if error.refusal:
            return True
    for chosen in ([], rows[:1], [empty(case.domains[0])], rows):
        if crash(chosen):
            smallest = shrink(chosen, lambda r: bool(crash(r)), lambda r: simpler(r, case.domains[0]))
            shown = [r.text for r in smallest]
            lab.fail("totality", f"gave {crash(smallest)}", case=case.text, rows=shown, released=list(params))
            return False
    return True


def _order(lab: Lab, case: Case, params: Sequence[Any], rows: list[Row], level: int) -> None:
    """Other orders, chunks, places, folds and more empty rows: the same integers."""
    domain, operation = case.domains[0], case.operation
    order = [rows[int(i)] for i in lab.rng.permutation(len(rows))]
    half = len(rows) // 2
    base = fingerprint(_plain(value_of(case, params, rows, level)))

    def merged() -> Exact:
        folds = [operation.start(domain, *params) for _ in range(2)]  # type: ignore[attr-defined]
        for fold, part in zip(folds, (rows[:half], rows[half:]), strict=True):
            operation.update(fold, batch(part, domain, level), *params)  # type: ignore[attr-defined]
        folds[0].merge(folds[1])
        return operation.value(folds[0])  # type: ignore[attr-defined,no-any-return]

    ways: dict[str, Any] = {
        "the same rows a second time": lambda: value_of(case, params, rows, level),
        "another order": lambda: value_of(case, params, order, level),
        "one row a chunk": lambda: evaluate(case, params, [batch([r], domain, level) for r in rows]),
        "another place in the table": lambda: evaluate(case, params, [batch(rows, domain, level, start=4096)]),
        "an empty chunk and an empty row more": lambda: evaluate(
            case, params, [batch(rows, domain, level), batch([], domain, level), batch([empty(domain)], domain, level)]
        ),
        "two folds merged": merged,
    }
    for words, way in ways.items():
        try:
            found = fingerprint(_plain(call(way)))
        except Crash as error:
            lab.fail("order", f"{words} gave {error}", case=case.text)
            return
        if found != base:
            layer = "purity" if words.startswith("the same") else "order"
            lab.fail(layer, f"the value is not the same for {words}", case=case.text, rows=[r.text for r in rows[:8]])
            return
    _pure(lab, case, params, rows, level)


def _pure(lab: Lab, case: Case, params: Sequence[Any], rows: list[Row], level: int) -> None:
    given, before = batch(rows, case.domains[0], level), fingerprint(list(params))
    kept = copied(given)
    evaluate(case, params, [given])
    if fingerprint(kept) != fingerprint(given) or fingerprint(list(params)) != before:
        lab.fail("purity", "update changes its inputs", case=case.text, rows=[r.text for r in rows[:2]])


def _plain(exact: Exact) -> list[Any]:
    """An exact value without its history: the same numbers in another integer type are the same."""
    if isinstance(exact.integers, list):
        return [exact.step, *([np.asarray(ids), np.asarray(counts)] for ids, counts in exact.integers)]
    return [exact.step, np.shape(exact.integers), [int(v) for v in np.ravel(exact.integers)]]


def _domain(lab: Lab, case: Case, params: Sequence[Any], rows: list[Row], level: int) -> Fraction:
    """Shape and kind of the value; returns the lattice's step."""
    made: Domain = case.operation.output(*case.domains)
    exact = value_of(case, params, rows, level)
    problem = step_problem(exact.step)
    if isinstance(made, SparseCounts):
        problem = problem or cells_problem(exact.integers, made)
    elif isinstance(made, Scores):
        if np.ndim(exact.integers) != 1 or not 1 <= len(exact.integers) <= made.m:
            problem = problem or f"there must be 1 to {made.m} scores"
    else:
        wanted = getattr(made, "shape", (getattr(made, "d", getattr(made, "m", 0)),))
        if np.shape(exact.integers) != tuple(wanted):
            problem = problem or f"the value has shape {np.shape(exact.integers)}, declared {tuple(wanted)}"
    if problem:
        lab.fail("domain", problem, case=case.text, rows=[r.text for r in rows[:2]])
    return Fraction(exact.step)
