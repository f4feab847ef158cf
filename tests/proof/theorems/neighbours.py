"""A search for the neighbours that move a statistic most, in exact integers, against what its theorem allows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.operations import Batch, Exact, Statistic, Transform
from dpframe.proof.spaces import L1, L2, Domain, Edits, LInf, OneSided
from dpframe.proof.theorems import Metrics

EDITS = (Edits(1, 1), Edits(1, 0), Edits(0, 1), Edits(2, 2))
Row = tuple[float, ...] | None  # None is an empty row


def batch(rows: Sequence[Row], d: int) -> Batch:
    """Rows as the executor hands them over."""
    valid = np.array([row is not None for row in rows], dtype=np.bool_)
    values = np.array([[0.0] * d if row is None else row for row in rows], dtype=np.float64).reshape(len(rows), d)
    return Batch(0, values, valid)


@attrs.frozen(eq=False)
class Case:
    """One statistic with the rows that strain it.

    ``reach`` is the share of each bound that some neighbours must come up to, by kind of metric: below it the
    bound would be loose, and a theorem with a smaller factor could pass the search.
    """

    name: str
    statistic: Statistic
    d: int
    pool: tuple[Row, ...]
    params: tuple[Any, ...] = ()
    domains: tuple[Domain, ...] = ()
    transform: Transform | None = None
    transform_params: tuple[Any, ...] = ()
    edits: tuple[Edits, ...] = EDITS
    reach: dict[type, float] = attrs.Factory(lambda: dict.fromkeys((L1, L2, LInf, OneSided), 0.99))

    def value(self, rows: Sequence[Row]) -> Exact:
        """The exact statistic of a table."""
        fold = self.statistic.start(self.domains[0], *self.params)
        piece = batch(rows, self.d)
        if self.transform is not None:
            piece = self.transform.apply(piece, *self.transform_params)
        self.statistic.update(fold, piece, *self.params)
        return self.statistic.value(fold)

    def metrics(self, edits: Edits) -> Metrics:
        """What the theorem says."""
        result: Metrics = self.statistic.cited().rule(self.statistic.theorem_inputs(*self.domains), ((edits,),))
        return result


def numbers(exact: Exact) -> dict[Any, Fraction]:
    """Entries of an exact value by place, those that are not 0."""
    if isinstance(exact.integers, list):
        return {
            (level, *map(int, cell)): Fraction(int(count))
            for level, (ids, counts) in enumerate(exact.integers)
            for cell, count in zip(ids, counts, strict=True)
        }
    flat = np.asarray(exact.integers).ravel()
    return {i: int(v) * exact.step for i, v in enumerate(flat.tolist()) if v}


def size(kind: type, a: Exact, b: Exact) -> Fraction:
    """Distance of a kind, exactly; the square of it for ℓ₂."""
    left, right = numbers(a), numbers(b)
    gaps = [abs(left.get(key, Fraction(0)) - right.get(key, Fraction(0))) for key in left.keys() | right.keys()]
    if kind is L1:
        return sum(gaps, Fraction(0))
    if kind is L2:
        return sum((gap * gap for gap in gaps), Fraction(0))
    if kind is OneSided:
        return Fraction(max(len(left.keys() - right.keys()), len(right.keys() - left.keys())))
    return max(gaps, default=Fraction(0))


def neighbours(case: Case, edits: Edits, rng: np.random.Generator, tries: int) -> Iterable[tuple[list[Row], list[Row]]]:
    """Pairs of tables that differ by the edits: one row of the pool for another, as often as allowed; then random."""
    for u, v in itertools.product(case.pool, repeat=2):
        yield [u] * edits.removed, [v] * edits.added
    for _ in range(tries):
        picks = [case.pool[int(i)] for i in rng.integers(len(case.pool), size=edits.total + int(rng.integers(4)))]
        common = picks[edits.total :]
        yield [*common, *picks[: edits.removed]], [*common, *picks[edits.removed : edits.total]]


def worst(case: Case, edits: Edits, rng: np.random.Generator, tries: int) -> dict[type, Fraction]:
    """The largest distance of each kind that was found."""
    found: dict[type, Fraction] = {}
    kinds = [type(metric) for metric in case.metrics(edits)]
    known: dict[tuple[Row, ...], Exact] = {}
    for pair in neighbours(case, edits, rng, tries):
        for rows in pair:
            if tuple(rows) not in known:
                known[tuple(rows)] = case.value(rows)
        a, b = (known[tuple(rows)] for rows in pair)
        for kind in kinds:
            found[kind] = max(found.get(kind, Fraction(0)), size(kind, a, b))
    return found


def limit(kind: type, bound: float) -> Fraction:
    """What :func:`size` may come to under a bound."""
    return Fraction(bound) ** 2 if kind is L2 else Fraction(bound)


def holds(found: dict[type, Fraction], metrics: Metrics, factor: Callable[[type], float] = lambda kind: 1.0) -> bool:
    """Whether nothing that was found exceeds the bounds, each times a factor."""
    return all(
        found[type(metric)] <= limit(type(metric), metric.bound * factor(type(metric)))  # type: ignore[union-attr]
        for metric in metrics
    )


def sphere(d: int, count: int, seed: int, radius: float = 1e6) -> tuple[Row, ...]:
    """Far points in random directions and their opposites: clipped they lie on the unit sphere."""
    points = np.random.default_rng(seed).standard_normal((count, d))
    points *= radius / np.linalg.norm(points, axis=1)[:, None]
    return tuple(tuple(float(v) for v in p) for q in points for p in (q, -q))


def axes(d: int, radius: float = 1e6) -> tuple[Row, ...]:
    """Far points on the axes."""
    return tuple(
        tuple(sign * radius if i == axis else 0.0 for i in range(d)) for axis in range(d) for sign in (1.0, -1.0)
    )


def corners(d: int, radius: float = 1e6) -> tuple[Row, ...]:
    """Far points on the diagonals."""
    return tuple(tuple(radius * s for s in signs) for signs in itertools.product((1.0, -1.0), repeat=d))
