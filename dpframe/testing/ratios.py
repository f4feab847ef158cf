"""Likelihood ratios of two columns together: of one that has many values, given each value of one that has few.

As in :mod:`dpframe.testing.learned`, nothing here carries a guarantee: events are counted on other samples.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from dpframe.testing.learned import Floats, Rows, Score

FEW, STEP = 64, 200
"""Values of a column that others are looked at given each of them, and samples between two steps of a ratio."""


def conditional(first: Rows, second: Rows, most: int = 4) -> list[tuple[str, Score]]:
    """Log likelihood ratios of one derived column, given each value of another that has few values.

    Within a value the ratio is a step function that only rises, or only falls, whichever fits better: so what is told
    of rare outcomes rests on many. The best of all pairs of columns, by how well they tell the two samples apart.
    """
    found: list[tuple[float, str, Score]] = []
    columns = {name: (first.derived(name), second.derived(name)) for name in first.structured[1:]}
    values = {name: np.unique(np.concatenate(sides)) for name, sides in columns.items()}
    few = [name for name, known in values.items() if 1 < len(known) <= FEW and np.isfinite(known).all()]
    for given, name in itertools.product(few, [n for n, known in values.items() if len(known) > FEW]):
        tables = []
        for value in values[given]:
            p, q = (column[side == value] for column, side in zip(columns[name], columns[given], strict=True))
            tables.append(_steps(p, q, len(first), len(second)))
        score = _by_value(given, name, values[given], tables)
        gain = float(np.logaddexp(0, -score(first)).mean() + np.logaddexp(0, score(second)).mean())
        found.append((gain, f"likelihood ratio of the {name} given the {given}", score))
    found.sort(key=lambda item: item[0])
    return [(label, score) for _, label, score in found[:most]]


def _by_value(given: str, name: str, values: Floats, tables: list[tuple[Floats, Floats]]) -> Score:
    def score(x: Rows) -> Floats:
        known, column, out = x.derived(given), x.derived(name), np.zeros(len(x))
        for value, (edges, ratio) in zip(values, tables, strict=True):
            inside = known == value
            out[inside] = ratio[np.searchsorted(edges, column[inside], side="right")]
        return out

    return score


def _steps(p: Floats, q: Floats, of_p: int, of_q: int) -> tuple[Floats, Floats]:
    """Edges and the log ratio between them, monotone, from all samples at hand."""
    pooled = np.concatenate([p, q])
    pooled = pooled[np.isfinite(pooled)]
    bins = min(128, len(pooled) // STEP)
    edges = np.unique(np.quantile(pooled, np.linspace(0, 1, bins)[1:-1], method="nearest")) if bins > 2 else np.zeros(0)
    on_p, on_q = (
        np.bincount(np.searchsorted(edges, side, side="right"), minlength=len(edges) + 1) + 0.5 for side in (p, q)
    )
    best, ratio = -np.inf, np.zeros(len(edges) + 1)
    for turn in (slice(None), slice(None, None, -1)):
        fitted = _rising(on_p[turn], on_q[turn])[turn]
        likely = float((on_p * np.log(fitted) + on_q * np.log1p(-fitted)).sum())
        if likely > best:
            best, ratio = likely, np.log(fitted / of_p) - np.log((1 - fitted) / of_q)
    return edges, ratio


def _rising(on_p: Any, on_q: Any) -> Floats:
    """The part of p among p and q, bin by bin, as it must be if it never falls: neighbours that do are pooled."""
    groups: list[list[float]] = []
    for a, b in zip(on_p.tolist(), on_q.tolist(), strict=True):
        groups.append([a, b, 1])
        while len(groups) > 1 and groups[-2][0] * groups[-1][1] > groups[-1][0] * groups[-2][1]:
            last = groups.pop()
            groups[-1] = [x + y for x, y in zip(groups[-1], last, strict=True)]
    return np.repeat([a / (a + b) for a, b, _ in groups], [int(n) for _, _, n in groups])
