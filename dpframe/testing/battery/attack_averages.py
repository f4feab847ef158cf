"""Attacks on what a semimetric asserts of averages: of values that are near one another, by two weightings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpframe.kernel.families.populous import average
from dpframe.kernel.families.registering import Semimetric
from dpframe.testing.battery.clocks import LONG, spent
from dpframe.testing.battery.semimetric_points import RELATIVE, Finding, distance, error_of, takes_part, triples_of


def average_search(known: Semimetric, seconds: float) -> tuple[Finding | None, float]:
    """Values that are pairwise within r, two weightings of them: their averages are within the asserted bound.

    Returns a violation, and the largest share of the bound that was found.
    """
    rng = np.random.default_rng(3)
    end, most = spent() + seconds, 0.0
    for i, triple in enumerate(triples_of(known, rng)):
        if spent() > end and (i > 100 or spent() > end + LONG):
            break
        points = [*triple, *(triple[j] for j in rng.integers(0, 3, 3))][: int(rng.integers(2, 7))]
        r = max(distance(known, p, q) for p in points for q in points)
        if not 0 < r < math.inf or not all(takes_part(known, p, r) for p in points):
            continue
        found, share = _averaged(known, points, r, *_weightings(len(points), rng, ends=i % 3 == 0))
        if found is not None:
            return found, share
        most = max(most, share)
    return None, most


def _weightings(count: int, rng: np.random.Generator, *, ends: bool) -> tuple[Any, Any]:
    """Whole weights of some values, twice; ``ends``: all on one of them, and all on another."""
    if ends:
        first, second = np.eye(count, dtype=np.int64)[rng.choice(count, 2, replace=False)]
        return first, second
    before, after = rng.integers(0, 8, (2, count)) * (rng.random((2, count)) < 0.7)
    return before, after


def _averaged(known: Semimetric, points: list[Any], r: float, before: Any, after: Any) -> tuple[Finding | None, float]:
    if not (before.sum() and after.sum()):
        return None, 0.0
    tau = float(np.maximum(before / before.sum() - after / after.sum(), 0).sum())
    if not tau > 0:
        return None, 0.0
    try:
        bound = float(known.averages(r, tau)) if known.averages is not None else math.inf
    except Exception:  # noqa: BLE001  no bound is asserted there, so that no plan uses it
        return None, 0.0
    shown = (*points, before, after)
    if not bound > 0:  # no plan takes such a bound
        return None, 0.0
    one, other = (average(np.array(points), weights) for weights in (before, after))
    apart = distance(known, one, other)
    if apart > bound * (1 + RELATIVE) and apart > bound * (1 + RELATIVE) + error_of(known, one, other):
        text = f"averages by weights {tau:.3g} apart have the distance {apart!r}, asserted {bound!r}"
        return Finding("averages", text, shown), apart / bound
    return None, min(apart / bound, 1.0)
