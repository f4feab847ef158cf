"""How tables are shown on which a statistic of a plugin's own moves too far: what differs first, and few other rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpframe.proof.theorems import Metrics
from dpframe.testing.battery import metrics
from dpframe.testing.battery.case import Case
from dpframe.testing.battery.clocks import spent
from dpframe.testing.battery.lab import Lab
from dpframe.testing.battery.own_inputs import of_table

MOST_CALLS, SECONDS = 120, 1.0
"""Fewer common rows that are tried, and for how long."""
MOST_SHOWN = 2000
"""Common rows that are written down, those that are equal as one."""


def report(
    lab: Lab,
    case: Case,
    declared: Metrics,
    words: str,
    common: Any,
    removed: Any,
    added: Any,
    *,
    first: bool = False,
    params: tuple[Any, ...] | None = None,
) -> None:
    """Put two tables on record that are further apart than is declared, with as few common rows as are found at once.

    Parameters
    ----------
    words : str
        What the common rows are, for the case that many are left.
    common, removed, added : ndarray (m, d)
        Rows of both tables, of the first alone and of the second alone.
    first : bool
        Whether the rows in which they differ come before the common ones.
    params : tuple, optional
        Released values.
    """

    def excess(rows: Any) -> tuple[Any, str]:
        sides = (np.concatenate([part, rows] if first else [rows, part]) for part in (removed, added))
        return metrics.excess(metrics.difference(*(of_table(case, side, params) for side in sides)), declared)

    few = fewer(common, lambda rows: excess(rows)[0] > 1)
    shown: dict[str, Any] = {"removed": removed, "added": added}
    distinct, counts = np.unique(few, axis=0, return_counts=True)
    if len(few) == len(distinct) and len(few) <= MOST_SHOWN:
        shown["common_rows"] = few
    elif len(distinct) <= MOST_SHOWN:
        shown["common_rows"] = [f"{n} of {row.tolist()}" for row, n in zip(distinct, counts.tolist(), strict=True)]
    else:
        shown |= {
            "common": f"{words}; of {len(few)} the first {MOST_SHOWN} stand here",
            "common_rows": few[:MOST_SHOWN],
        }
    shown |= {} if params is None else {"released": list(params)}
    found = excess(few)
    lab.fail("sensitivity", f"neighbours are too far apart: {found[1]}", case=case.text, **shown)


def fewer(rows: Any, fails: Any) -> Any:
    """Fewer rows on which it still fails: without halves, quarters and so on, down to single ones, for a while.

    Examples
    --------
    >>> fewer(np.arange(100.0)[:, None], lambda rows: 7 in rows and 70 in rows).tolist()
    [[7.0], [70.0]]
    """
    calls, end, size = 0, spent() + SECONDS, len(rows)
    while size >= 1 and calls < MOST_CALLS and spent() < end:
        start = 0
        while start < len(rows) and calls < MOST_CALLS and spent() < end:
            less, calls = np.delete(rows, slice(start, start + size), axis=0), calls + 1
            if fails(less):
                rows = less
            else:
                start += size
        size = size // 2 if size > 1 else 0
    return rows
