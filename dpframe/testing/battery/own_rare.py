"""Single rows of rare kinds (leap days, valid card numbers), to each of which a plugin's own statistic is asked.

Such a row is compared with no row at all, and all of them with each other and with plain ones in their place: alone
beside few others, where nothing else moves the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dpframe.kernel.operations import Exact
from dpframe.proof.spaces import ADD, L1, REMOVE, REPLACE_ONE, LInf
from dpframe.proof.theorems import Metrics
from dpframe.testing.battery import metrics, scanned
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.clocks import spent
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.own_inputs import of_table
from dpframe.testing.battery.own_reports import report

PLAIN = ((0.0,), (1.0, -2.5, 3.0))
"""Rows that a rare one is put beside, or in the place of the last of them: one, and a few."""
SHARES = (1.0, 0.5)
"""How much of the seconds each of these has."""
MOST_PAIRED, MOST_NUMBERS, SWEEPS = 400, 2_000_000, 4
"""Images of which every two are compared, and numbers of them; of more the furthest from the furthest, a few times."""

DATES = ("2000-02-29", "2024-02-29", "1996-02-29", "2023-12-31", "2020-01-01", "2015-02-13", "1970-01-01", "2021-03-28")
"""Leap days and others that a calendar treats in a way of its own."""
NUMBERS = (
    *(4111111111111111.0, 79927398713.0, 49927398716.0, 9780306406157.0, 306406152.0, 4006381333931.0),  # checksums
    *(7919.0, 104729.0, 1000000007.0, 2147483647.0),  # primes
    *(6.0, 28.0, 496.0, 8128.0, 153.0, 1729.0, 144.0, 169.0, 1331.0, 12321.0, 1234321.0, 777777.0),
    *(1024.0, 65536.0, 1000.0, 86400.0, 3600.0, 19.99, 2.5, -999.0, 999.0, 9999.0),
)
"""One or more of each kind that code asks for, and that random numbers seldom are."""


def marked(d: int) -> list[Any]:
    """Such numbers, and such dates as they are written in tables, in all columns and in the first alone."""
    found = dict.fromkeys(NUMBERS)
    for text in DATES:
        year, month, day = map(int, text.split("-"))
        since = int((np.datetime64(text) - np.datetime64("1970-01-01")).astype(int))
        written = (year * 10000 + month * 100 + day, day * 1000000 + month * 10000 + year, month * 100 + day)
        short = (year % 100 * 10000 + month * 100 + day, month * 1000000 + day * 10000 + year, day * 100 + month)
        counted = (since, since + 719163, since + 25569, since * 86400, since * 86400000, since * 86400 + 43200)
        found.update(dict.fromkeys(map(float, (*written, *short, *counted))))
    numbers = np.array([*found])[:, None]
    made = np.concatenate([numbers * np.ones(d), numbers * np.eye(d)[:1]][: 1 + (d > 1)])
    return [row[None] for row in made]


def attack_rare(lab: Lab, case: Case, declared: Mapping[Any, Metrics], own: Sequence[float], seconds: float) -> bool:
    """Whether one row of some rare kind is further from none, or from another one, than is declared; for a while."""
    d = int(getattr(case.domains[0], "d", 1))
    first = marked(d)
    rows = [np.asarray(row, dtype=np.float64)[None] for row in scanned.vectors(d, own, scanned.CODES)]
    for numbers, share in zip(PLAIN, SHARES, strict=True):
        beside = np.repeat(np.array(numbers[:-1]).reshape(-1, 1), d, axis=1)
        plain = np.full((1, d), numbers[-1])
        if _beside(lab, case, declared, beside, [plain, *first, *rows], spent() + seconds * share):
            return True
    return False


def _beside(lab: Lab, case: Case, declared: Mapping[Any, Metrics], beside: Any, rows: list[Any], end: float) -> bool:
    """The same beside these other rows; each kind of image is kept once, with the first row that has it."""
    known = of_table(case, beside)
    more = next((e for e in (ADD, REMOVE) if e in declared), None)
    kept = dict[bytes, tuple[Any, Exact]]()
    for row in rows:
        made = of_table(case, np.concatenate([beside, row]))
        key = np.ascontiguousarray(made.integers).tobytes()
        if key not in kept:
            kept[key] = (row, made)
            if more is not None and _told(lab, case, declared, more, beside, (row[:0], known), (row, made)):
                return True
        if spent() > end:
            break
    if REPLACE_ONE not in declared:
        return False
    images = [*kept.values()]
    flat = np.array([np.ravel(np.asarray(made.integers, dtype=np.float64)) for _, made in images])
    return any(
        _told(lab, case, declared, REPLACE_ONE, beside, images[i], images[j])
        for i, j in _furthest(flat, declared[REPLACE_ONE])
    )


def _furthest(flat: Any, declared: Metrics) -> Iterator[tuple[int, int]]:
    """Places of the two that are furthest apart in each of the declared norms, or nearly so where they are many."""
    for kind in dict.fromkeys(map(type, declared)):
        if len(flat) <= MOST_PAIRED and len(flat) * flat.size <= MOST_NUMBERS:
            far = [_norms(flat - one, kind) for one in flat]
            i = int(np.argmax([apart.max() for apart in far]))
            yield i, int(far[i].argmax())
            continue
        i = 0
        for _ in range(SWEEPS):
            j = int(_norms(flat - flat[i], kind).argmax())
            yield i, j
            i = j


def _norms(moved: Any, kind: Any) -> Any:
    """A norm of each, squared for ℓ₂."""
    sizes = np.abs(moved)
    return sizes.sum(1) if kind is L1 else sizes.max(1, initial=0.0) if kind is LInf else (sizes * sizes).sum(1)


def _told(lab: Lab, case: Case, declared: Mapping[Any, Metrics], e: Any, beside: Any, one: Any, other: Any) -> bool:
    """Whether two images are further apart than is declared of such edits, which it reports."""
    (before, first), (after, second) = (other, one) if e is REMOVE else (one, other)
    found = metrics.excess(metrics.difference(first, second), declared[e])
    if found[0] <= 1:
        return False
    report(lab, case, declared[e], "plain rows", beside, before, after)
    return True
