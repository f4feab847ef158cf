"""The exact law of a mechanism of a plugin's own, on the neighbours and at the scales on which its loss is large.

Its function is the plugin's, so nothing is known of it but what it asks of the samplers: the laws are enumerated, for
few numbers and small noise, and for one number with wide noise too.
"""

from __future__ import annotations

import contextlib
import functools
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.noise import SeededSource
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.kernel.own import claims
from dpframe.kernel.own.base import shape_of, value_domain
from dpframe.kernel.own.claims import Collected
from dpframe.kernel.owned import Own
from dpframe.proof.spaces import ADD, L1, L2, REMOVE, REPLACE_ONE, Edits, Index, LInf, Rows, Table
from dpframe.proof.theorems import Metrics
from dpframe.proof.theorems.own import size_of
from dpframe.testing.battery import compared, own_turns, scanned, sizes
from dpframe.testing.battery.attack_law import compare, law_of
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.enumerator import Elsewhere, Script, Unenumerable, standing_in
from dpframe.testing.battery.exploring import Law
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.law_pairs import Pair
from dpframe.testing.battery.own_climb import climb
from dpframe.testing.battery.own_parameters import code_of
from dpframe.testing.battery.tables import pool

SCALES = (0.7183, 0.3183, 1.3718, 0.4719, 2.7183)
"""Noise in lattice steps: no round numbers. With the second one several numbers have few values each."""
WIDE = (8.4719, 21.4831, 96.3817)
"""For one number: noise that a function may round, or take for enough."""
WIDEST, LEAST_NOISE = 300.0, 0.02
SCANNED, SCANS = 29.0137, 0.25
"""Noise with which values are looked for that it treats otherwise, and seconds of that."""
FAR, MOST_FAR = (40, 3000, 200_000), 2.0**45
LITTLE = 1e-6
"""Probability that may be missing from a law that counts as known."""
SURELY, MOVES = 14, 6
"""Pairs of neighbours whose laws are compared however long it takes, and how many of them start from 0."""
MOST_STARTS, MOST_ENTRIES = 12, 5
MOST_ANSWERS = 12
"""Answers of a selection that rows are made to stand for."""
OTHER_SIZES = (1, 2, 5)
"""Whole-number parameters of a mechanism beside those of its examples."""
SINGLE = (REPLACE_ONE, REMOVE, ADD)
SEVERAL, FARTHER = (Edits(0, 3), Edits(3, 0), Edits(2, 2)), (4, 30)
"""Rows of one unit, and steps of one number: a claim is of these distances too."""
Neighbours = tuple[str, Exact, Exact, Metrics]
LEANING = ((0, 1.0), (2, 90.0), (2, -90.0), (7, 0.5))
COUNTED = (127, 255)
"""Rows of tables of equal rows: a counter of a byte ends there."""


def attack_own_law(lab: Lab, case: Case, seconds: float, *, short: bool = False) -> set[str]:
    """The exact law of a mechanism that draws few values, on neighbours; the names of those compared all but wholly.

    The first pairs (every move from ties and from a lead) are compared at two scales however long it takes, then at the
    others; the other pairs as long as there is time. ``short`` takes the first few pairs, with the smallest noise.
    """
    operation: Mechanism = case.operation  # type: ignore[assignment]
    known: dict[bytes, Law] = {}
    compared, end = 0, time.process_time() + seconds
    wholly: set[str] = set()
    if not isinstance(case.domains[0], Table) and size_of(case.domains[0]) > MOST_ENTRIES:
        return wholly
    surely, order = _order(operation, case.domains[0], short=short)
    lab.ran("law")
    with standing_in() as scripts, _heard():
        for i, ((words, one, other, met), scale) in enumerate(order):
            late = compared > 2 and time.process_time() > end
            if late and (i >= surely or any(law.coins for law in known.values())):
                return wholly
            pair = Pair(case.domains[0], one, other, met, {"scale": scale}, met)
            try:
                compare(lab, operation, pair, known, scripts)
            except Unenumerable:
                if not compared and time.process_time() > end:
                    return wholly
                continue
            except Elsewhere:
                lab.fail("law", "it draws from the source past the exact samplers", case=case.text)
            compared += 1
            if any(f.layer == "law" for f in lab.failures):
                return wholly
            if known and max(law.missing for law in known.values()) < LITTLE:
                wholly.add(words)
        if isinstance(case.domains[0], Table) and not short:
            _climbed(lab, case, scripts, max(seconds, 1.0))
    return wholly


def _climbed(lab: Lab, case: Case, scripts: list[Script], seconds: float) -> None:
    """The law on the worst tables that a climb finds."""
    operation: Mechanism = case.operation  # type: ignore[assignment]
    domain: Table = case.domains[0]  # type: ignore[assignment]
    rng = np.random.default_rng(11)
    numbers = _contents(operation)
    known: dict[bytes, Law] = {}
    for met in units(operation, domain):
        edits: Edits = met[0]  # type: ignore[assignment]
        for scale in (SCALES[1], SCALES[0]):
            pair = Pair(domain, Exact([]), Exact([]), met, {"scale": scale}, met)
            law = functools.partial(law_of, operation, pair=pair, known=known, scripts=scripts)
            worst = climb(law, _sorted, edits, domain, numbers, seconds / 6, rng)
            for one, other in worst[:2]:
                with contextlib.suppress(Unenumerable):
                    compare(lab, operation, attrs.evolve(pair, first=one, second=other), known, scripts)
            if lab.failures:
                return


def _contents(operation: Mechanism) -> list[float]:
    """What rows are made of: whole numbers, as many as there are answers, and both sides of numbers in the code."""
    made = value_domain(operation)
    answers = min(made.m, MOST_ANSWERS) if isinstance(made, Index) else 3
    own = [c + s for c in sizes.numbers(code_of(operation))[:6] for s in (-1.0, 0.0, 1.0)]
    return sorted({*(float(i) for i in range(-1, answers + 1)), 0.5, *own})


def _order(operation: Mechanism, domain: Any, *, short: bool) -> tuple[int, list[tuple[Neighbours, float]]]:
    """How many pairs are compared surely, and all of them with their scales."""
    every = list(neighbours(operation, domain, np.random.default_rng(0)))
    first, rest = every[:SURELY], every[SURELY:]
    if short:
        few = [(pair, SCALES[1]) for pair in first[:MOVES]]
        return len(few), [*few, *((pair, SCALES[0]) for pair in first)]
    surely = [(pair, scale) for scale in SCALES[:2] for pair in first]
    surely += [(pair, SCALES[0]) for pair in (*_farther(operation, domain), *_odd(operation, domain))]
    if not isinstance(domain, Table) and size_of(domain) == 1:
        numbers = sizes.numbers(code_of(operation))
        own = [1.0137 * c + 0.06 for c in numbers if 0.3 < c < WIDEST][:4]
        own += [0.97 * c for c in numbers if LEAST_NOISE < c <= 0.3][:2]
        surely += [(first[0], scale) for scale in (*WIDE, *own)]
    more = [(pair, scale) for scale in SCALES[2:] for pair in first[:3]]
    return len(surely), [*surely, *more, *((pair, SCALES[2]) for pair in (*rest, *first[3:]))]


@contextlib.contextmanager
def _heard() -> Iterator[None]:
    """Let the questions of the stand-ins through, which the kernel would take for an error of the plugin."""

    def quiet_but_for_questions(function: Any, *values: Any, **keywords: Any) -> Any:
        try:
            return function(*values, **keywords)
        except Exception:  # noqa: BLE001  as the kernel's own
            return None

    kept, domains = {name: vars(claims)[name] for name in ("quiet", "value_domain")}, dict[int, Any]()

    def domain_of(operation: Any) -> Any:
        if id(operation) not in domains:  # read from text for each of thousands of runs
            domains[id(operation)] = operation, kept["value_domain"](operation)
        return domains[id(operation)][1]

    vars(claims).update(quiet=quiet_but_for_questions, value_domain=domain_of)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        vars(claims).update(kept)


def starts(function: Any, size: int) -> list[tuple[str, Any]]:
    """Values from which neighbours start: ties, leads, large ones, and on both sides of its own constants."""
    own = sizes.around(sizes.constants(function), 2**50)[:MOST_STARTS]
    found = [("from 0", np.zeros(size, dtype=np.int64)), ("from a lead", np.arange(size)[::-1] * 2)]
    found += [("from a lead of the last", np.arange(size) * 2 - 1)]
    found += [("from both signs", np.resize([1, -6, 0], size))] if size > 1 else []
    found += [(f"from {c}", np.full(size, c, dtype=np.int64)) for c in (1000, -40, 10**9, *sizes.TURNS)]
    return found + [(f"from {s * c}", np.full(size, s * c, dtype=np.int64)) for c in own for s in (1, -1)]


def units(operation: Mechanism, domain: Any) -> list[Metrics]:
    """What neighbours a loss is asked about: those that the claim takes."""
    if not isinstance(domain, Table):
        return [(LInf(1.0), L2(1.0), L1(1.0))]
    found: list[Metrics] = []
    for e in SINGLE:
        try:
            operation.loss({"scale": 1.0}, (e,), domain)
        except DpframeError:
            continue
        found.append((e,))
    return found


def neighbours(operation: Mechanism, domain: Any, rng: Any) -> Iterator[Neighbours]:
    """Neighbours on which a loss is large as a rule, with their distance; values first, or rows."""
    if isinstance(domain, Table):
        yield from _tables(operation, domain, rng)
        return
    size = size_of(domain)
    for place, start in starts(code_of(operation), size):
        for words, move in moves(size):
            yield apart(operation, domain, f"{words} {place}", start, move)


def moves(size: int) -> list[tuple[str, Any]]:
    """How so many numbers change."""
    first, against = np.zeros(size, dtype=np.int64), -np.ones(size, dtype=np.int64)
    first[0] = against[0] = 1
    found = [
        ("one coordinate up", first),
        ("one up, the others down", against),
        ("all up", np.ones(size, dtype=np.int64)),
        ("the last up, the others down", against[::-1]),
    ]
    if size > 2:  # of several that are asked one after the other the last may not be asked
        found.insert(3, ("the last but one up, the others down", np.roll(against, size - 2)))
    if size > 3:  # of three it is one against the others
        found.insert(2, ("half of them up, half down", np.where(np.arange(size) < size // 2, -1, 1)))
    return found if size > 1 else found[:1]


def apart(operation: Mechanism, domain: Any, words: str, start: Any, move: Any) -> Neighbours:
    """Two values and their distance in the metric that the claim takes."""
    takes, shape = operation.known.takes, shape_of(domain)  # type: ignore[attr-defined]
    found: dict[str, Any] = {"linf": LInf(float(np.abs(move).max())), "l1": L1(float(np.abs(move).sum()))}
    found["l2"] = L2(float(np.nextafter(float((move.astype(float) ** 2).sum()) ** 0.5, np.inf)))
    return words, Exact(start.reshape(shape)), Exact((start + move).reshape(shape)), (found[takes],)


def _odd(operation: Mechanism, domain: Any) -> Iterator[Neighbours]:
    """From values, equal ones where there are several, to which it does what it does to few, and to them; or rows."""
    if isinstance(domain, Table):
        yield from _odd_rows(operation, domain)
        return
    size, shape = size_of(domain), shape_of(domain)

    def done(value: int) -> Any:
        given = np.full(shape, value, dtype=np.int64)
        try:
            released = operation.release(Exact(given), {"scale": SCANNED}, domain, SeededSource(7))
            return np.asarray(released, dtype=np.float64).ravel()[:size] - value
        except DpframeError:
            return None

    up = np.ones(size, dtype=np.int64)
    function = code_of(operation)
    own = sizes.numbers(function)
    told = compared.made(done, (1, 5, -7), own, of=function)
    for value in scanned.odd(done, [*(int(x) for x in told), *scanned.wholes(own)], SCANS):
        for start in (value, value - 1):
            yield apart(operation, domain, f"all up from {start}", np.full(size, start, dtype=np.int64), up)
    for words, at, move in own_turns.odd(operation, domain, shape, SCANNED):
        yield apart(operation, domain, words, at, move)


def _odd_rows(operation: Mechanism, domain: Table) -> Iterator[Neighbours]:
    """Tables with one row to which it does what it does to few, in place of another, out or in."""

    def done(row: Any) -> Any:
        try:
            given = Exact(_sorted(row[None].astype(np.float64)))
            return np.asarray(operation.release(given, {"scale": SCANNED}, domain, SeededSource(7)), dtype=np.float64)
        except DpframeError:
            return None

    rows = scanned.vectors(domain.d, sizes.numbers(code_of(operation)), scanned.CODES)
    for row in scanned.odd(done, rows, SCANS):
        for e in (m for met in units(operation, domain) for m in met if isinstance(m, Edits)):
            out, into = (np.zeros((1, domain.d)), row[None]) if e.added else (row[None], row[None])
            common = np.zeros((3, domain.d))
            parts = (np.repeat(out, e.removed, axis=0), np.repeat(into, e.added, axis=0))
            a, b = (Exact(_sorted(np.concatenate([common, part]))) for part in parts)
            yield f"{e.removed} out, {e.added} in, an odd row", a, b, (e,)


def far_apart(operation: Mechanism, domain: Any) -> Iterator[Neighbours]:
    """One coordinate up by a lot, for samples with as much noise: where that is large, a function may do otherwise."""
    if not isinstance(domain, Table):
        size = size_of(domain)
        numbers = [c for c in sizes.constants(code_of(operation)) if FAR[-1] < c < MOST_FAR]
        for much in (*FAR, *(4 * int(c) for c in numbers[:2])):
            yield apart(
                operation, domain, f"one coordinate up by {much}", np.zeros(size, np.int64), much * moves(size)[0][1]
            )


def _tables(operation: Mechanism, domain: Table, rng: Any) -> Iterator[Neighbours]:
    """Small tables that differ by an edit: few rows near one another, and one far away."""
    for e in (m for met in units(operation, domain) for m in met if isinstance(m, Edits)):
        for kind in range(4):
            size = (3, 12, 5, 40)[kind]
            rows = pool(Rows(domain.d), 6, (), rng)
            spread = np.array([r.values for r in rows if r.valid], dtype=np.float64)[: 4 * size]
            common = rng.integers(0, 3, (size, domain.d)).astype(np.float64) if kind % 2 else np.zeros((size, domain.d))
            far = spread[int(rng.integers(len(spread)))] if kind >= 2 else np.full(domain.d, 10.0)
            removed = np.tile(np.ones(domain.d), (e.removed, 1))
            added = np.tile(far, (e.added, 1))
            a, b = (Exact(_sorted(np.concatenate([common, part]))) for part in (removed, added))
            yield f"{e.removed} out, {e.added} in, {size} rows, to {far[0]:.3g}", a, b, (e,)
        for size in COUNTED:
            ones, other = np.ones((size, domain.d)), np.full((e.added, domain.d), -1.0 if e.removed else 1.0)
            a, b = (Exact(_sorted(np.concatenate([ones, part]))) for part in (ones[: e.removed], other))
            yield f"{e.removed} out, {e.added} in, {size} equal rows", a, b, (e,)
    for e in (m for met in units(operation, domain) for m in met if isinstance(m, Edits)):
        for common, x in LEANING:  # none at all, and tables that lean to one side
            parts = (np.full((e.removed, domain.d), -x), np.full((e.added, domain.d), x if e.removed else -x))
            a, b = (Exact(_sorted(np.concatenate([np.full((common, domain.d), x), part]))) for part in parts)
            yield f"{e.removed} out, {e.added} in, {common} rows of {x:g}", a, b, (e,)


def _farther(operation: Mechanism, domain: Any) -> Iterator[Neighbours]:
    """Neighbours that are further apart than one row or one step."""
    if isinstance(domain, Table):
        for e in SEVERAL:
            for x in (10.0, -10.0):
                parts = (np.ones((e.removed, domain.d)), np.full((e.added, domain.d), x))
                a, b = (Exact(_sorted(np.concatenate([np.zeros((3, domain.d)), part]))) for part in parts)
                yield f"{e.removed} out, {e.added} in, 3 rows", a, b, (e,)
        return
    size = size_of(domain)
    for steps in FARTHER:
        move = steps * moves(size)[0][1]
        yield apart(operation, domain, f"one coordinate up by {steps}", np.zeros(size, np.int64), move)


def _sorted(rows: Any) -> Any:
    collected = Collected(rows.shape[1])
    collected.parts.append(rows + 0.0)
    return collected.rows()


def other_sizes(known: Own, operation: Any) -> Iterator[dict[str, Any]]:
    """Parameters with smaller or larger whole numbers, or uneven ones: what holds for the examples may end there."""
    told = dict(operation.keywords)
    for m in OTHER_SIZES:
        last = m == OTHER_SIZES[-1]
        other = {k: m if type(v) is int and (v > m or (last and v < m)) else v for k, v in told.items()}
        if other != told:
            yield {**other, "share": 1.0}
    uneven = {k: _uneven(v) for k, v in told.items()}
    if uneven != told:
        yield {**uneven, "share": 1.0}


def _uneven(value: Any) -> Any:
    """Several numbers of which every second one is three times as large; others as they are."""
    if not isinstance(value, (tuple, list)) or len(value) < 2 or not all(isinstance(x, float) for x in value):
        return value
    return type(value)(x * (1 + 2 * (i % 2)) for i, x in enumerate(value))


def of_other_inputs(cases: Sequence[Case]) -> list[Case]:
    """The same mechanism for other numbers of values, where what it releases does not tell how many it takes."""
    values = [c for c in cases if not isinstance(c.domains[0], Table)]
    few = {size_of(c.domains[0]): c for c in values[::-1]}
    return [few[m] for m in (3, 2) if m in few and few[m] is not values[0]]
