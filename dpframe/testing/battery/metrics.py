"""Distances between exact private values, compared with what a theorem says, in exact rational numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dpframe.errors import DpframeError
from dpframe.kernel.operations import Exact, Operation
from dpframe.proof.families.registered import LIFTED
from dpframe.proof.spaces import (
    ADD,
    L1,
    L2,
    REMOVE,
    REPLACE_ONE,
    Array,
    Blocks,
    Counts,
    Domain,
    Edits,
    LInf,
    Metric,
    Mixture,
    OneOf,
    OneSided,
    Rows,
    SparseCounts,
    Symmetric,
    Vector,
    WeightedRows,
    Within,
)
from dpframe.proof.theorems import Metrics

EDITS: tuple[Edits, ...] = (REPLACE_ONE, REMOVE, ADD, Edits(2, 2), Edits(2, 1), Edits(0, 3))
"""The edits a theorem is asked about; those it refuses are left out."""
NO_WRAP = 2**62
"""The difference of two integers below this fits into int64."""


def of_value(domain: Domain) -> Metrics:
    """Every metric that values of a private domain can have, at distance 1."""
    if isinstance(domain, (Rows, WeightedRows)):
        return (REPLACE_ONE,)
    if isinstance(domain, SparseCounts):
        m = float(domain.levels * domain.each)
        return (L1(2 * m), L2((2 * m) ** 0.5), LInf(1.0), OneSided(m))
    if isinstance(domain, Blocks):
        return (OneOf(domain.t, 1),)
    if isinstance(domain, Mixture):
        return (Within("component", 2.0**-10),)
    if isinstance(domain, Vector):
        return (L1(1.0), L2(1.0), LInf(1.0), Within("euclidean", 1.0))
    if isinstance(domain, Array):
        return (L1(1.0), L2(1.0), LInf(1.0), Within(f"euclidean{LIFTED}", 1.0))
    return (L1(1.0), L2(1.0), LInf(1.0)) if isinstance(domain, (Counts, Symmetric)) else ()


def rule(operation: Operation, domains: Sequence[Domain], inputs: Sequence[Metrics]) -> Metrics:
    """What the cited theorem says of the output."""
    made = operation.derived(tuple(domains), tuple(inputs))
    return tuple(made) if isinstance(made, tuple) else ()


def by_edits(operation: Operation, domains: Sequence[Domain], edits: Sequence[Edits] = EDITS) -> dict[Edits, Metrics]:
    """The output's metrics for every kind of edit that the theorem takes."""
    found: dict[Edits, Metrics] = {}
    for e in edits:
        try:
            found[e] = rule(operation, domains, ((e,),))
        except DpframeError:
            continue
    return found


def allowed(operation: Operation, domains: Sequence[Domain], private: int) -> bool:
    """Whether the theorem takes any neighbours at all."""
    if operation.kind in ("transform", "gather", "statistic", "blocks"):
        return isinstance(domains[0], (Rows, WeightedRows)) and bool(by_edits(operation, domains))
    if operation.kind == "partition":
        return isinstance(domains[0], Rows)
    return bool(rule(operation, domains, [of_value(d) for d in domains[:private]]))


def parameters(exact: Exact) -> list[float]:
    """The entries of private parameters (a tuple of arrays), which must be finite floats."""
    found = [float(x) for part in exact.integers for x in np.asarray(part, dtype=np.float64).ravel()]
    if not all(math.isfinite(x) for x in found):
        raise TypeError("private parameters must be finite")
    return found


def integers(exact: Exact) -> list[int]:
    """The entries as Python integers; a fraction or a float is an error of the operation."""
    array = np.asarray(exact.integers)
    if array.dtype.kind not in "iuO":
        raise TypeError(f"an exact value holds whole numbers, not {array.dtype}")
    flat = array.ravel().tolist()
    if array.dtype.kind == "O" and any(isinstance(v, bool) or not isinstance(v, int) for v in flat):
        raise TypeError("an exact value holds whole numbers")
    return flat


def difference(a: Exact, b: Exact) -> dict[type[Any], Fraction]:
    """ℓ₁, squared ℓ₂, ℓ∞ and one-sided bins between two values of one kind, exact."""
    if isinstance(a.integers, tuple):  # in a semimetric of their own, that nothing here measures
        return {}
    step, one_sided = Fraction(1), 0
    if isinstance(a.integers, list):
        deltas, one_sided = _sparse(a.integers, b.integers)
    else:
        step = common_step((a.step, b.step))
        left, right = int(a.step / step), int(b.step / step)
        near = _apart(a, b) if left == right == 1 else None
        deltas = [x * left - y * right for x, y in zip(integers(a), integers(b), strict=True)] if near is None else near
    sizes = [abs(d) for d in deltas if d]
    return {
        L1: sum(sizes) * step,
        L2: sum(s * s for s in sizes) * step * step,
        LInf: max(sizes, default=0) * step,
        OneSided: Fraction(one_sided),
    }


def _apart(a: Exact, b: Exact) -> list[int] | None:
    """The differences that are not 0 of two arrays of int64; None where these could wrap, or for others."""
    one, two = (np.asarray(exact.integers) for exact in (a, b))
    if one.dtype != np.int64 or two.dtype != np.int64 or one.size != two.size:
        return None
    if any(part.size and not -NO_WRAP < int(part.min()) <= int(part.max()) < NO_WRAP for part in (one, two)):
        return None
    moved = one.ravel() - two.ravel()
    found: list[int] = moved[moved != 0].tolist()
    return found


def common_step(steps: tuple[Fraction, Fraction]) -> Fraction:
    """The largest number of which both are multiples."""
    one, two = map(Fraction, steps)
    bottom = math.lcm(one.denominator, two.denominator)
    return Fraction(math.gcd(int(one * bottom), int(two * bottom)), bottom)


def _sparse(a: Sequence[Any], b: Sequence[Any]) -> tuple[list[int], int]:
    deltas: list[int] = []
    left = right = 0
    for mine, theirs in zip(a, b, strict=True):
        x, y = _table(mine), _table(theirs)
        deltas += [x.get(key, 0) - y.get(key, 0) for key in x.keys() | y.keys()]
        left, right = left + len(x.keys() - y.keys()), right + len(y.keys() - x.keys())
    return deltas, max(left, right)


def _table(level: Any) -> Mapping[tuple[int, ...], int]:
    ids, counts = level
    return {tuple(int(i) for i in key): int(c) for key, c in zip(ids, counts, strict=True)}


def excess(found: Mapping[type[Any], Fraction], declared: Sequence[Metric]) -> tuple[Fraction, str]:
    """The largest found/declared, squared for ℓ₂, and what it is; above 1 refutes the theorem."""
    worst, what = Fraction(0), ""
    for metric in declared:
        kind = type(metric)
        if kind not in found:
            continue
        bound = Fraction(getattr(metric, "bound", 0.0))
        limit = bound * bound if kind is L2 else bound
        ratio = found[kind] / limit if limit else Fraction(2 if found[kind] else 0)
        if ratio > worst or not what:
            size = float(found[kind]) ** 0.5 if kind is L2 else float(found[kind])
            worst, what = max(worst, ratio), f"{kind.__name__} distance {size:.9g}, declared {float(bound):.9g}"
    return worst, what
