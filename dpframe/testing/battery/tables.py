"""Private rows: ties, extremes, lattice edges, huge and tiny scales, one row, missing rows, in every row domain.

A table here is a list of single rows, so that a search can exchange, drop and simplify them one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError
from dpframe.kernel.operations import Batch
from dpframe.proof.spaces import Domain, Rows, WeightedRows
from dpframe.testing.battery.values import landmarks

Generator = np.random.Generator
EXTREMES = (0.0, 1.0, -1.0, 0.5, 1e-300, 5e-324, 1e8, -(2.0**53), 1e300, -1.7976931348623157e308)
"""Coordinates of a table: zeros, ties, subnormal and largest numbers. NaN never: a source makes such rows empty."""


@attrs.frozen
class Row:
    """One row: ``values`` (d,), or (k, d) with whole ``weights`` (k,); ``valid`` is False for a missing one."""

    values: tuple[Any, ...]
    valid: bool = True
    weights: tuple[float, ...] | None = None

    @property
    def text(self) -> Any:
        """For people."""
        if not self.valid:
            return "empty"
        return list(self.values) if self.weights is None else {"values": self.values, "weights": list(self.weights)}


def empty(domain: Domain) -> Row:
    """A missing row."""
    if isinstance(domain, WeightedRows):
        return Row(((0.0,) * domain.d,) * domain.k, False, (0.0,) * domain.k)
    return Row((0.0,) * width(domain), False)


def width(domain: Domain) -> int:
    """Columns of a row domain."""
    if not isinstance(domain, (Rows, WeightedRows)):
        raise DomainError(f"{domain} is no domain of rows")
    return domain.d


def batch(rows: Sequence[Row], domain: Domain, bits: int, *, start: int = 0) -> Batch:
    """Rows as the kernel hands them over."""
    valid = np.array([r.valid for r in rows], dtype=np.bool_)
    if isinstance(domain, WeightedRows):
        seen = np.array([r.values for r in rows], dtype=np.float64).reshape(len(rows), domain.k, domain.d)
        weights = np.array([r.weights for r in rows], dtype=np.float64).reshape(len(rows), domain.k)
        return Batch(start, np.ascontiguousarray(seen.transpose(1, 0, 2)), valid, bits, weights)
    values = np.array([r.values for r in rows], dtype=np.float64).reshape(len(rows), width(domain))
    return Batch(start, values, valid, bits if bounded(domain) else 0)


def bounded(domain: Domain) -> bool:
    """Whether rows lie on the lattice of a clip."""
    return isinstance(domain, WeightedRows) or (isinstance(domain, Rows) and domain.bound != "any")


def pool(domain: Domain, bits: int, params: Sequence[Any], rng: Generator, size: int = 24) -> list[Row]:
    """Rows worth trying: corners and edges of the domain and of the released values first, then random ones."""
    if isinstance(domain, WeightedRows):
        rows = _weighted(domain, bits, rng, size)
    elif bounded(domain):
        rows = [Row(tuple(p)) for p in _lattice(width(domain), bits, rng, size, box=_region(domain) == "unit_box")]
    else:
        rows = [Row(tuple(float(x) for x in p)) for p in _free(width(domain), params, rng, size)]
    return [*dict.fromkeys([*rows, empty(domain)])]


def _region(domain: Domain) -> str:
    return domain.bound if isinstance(domain, Rows) else "unit_ball"


def _free(d: int, params: Sequence[Any], rng: Generator, size: int) -> list[Any]:
    points = [np.asarray(p, dtype=np.float64) for value in params for p in landmarks(value, d)]
    if len(points) > size:
        points = [points[i] for i in sorted(rng.choice(len(points), size, replace=False))]
    points += [np.full(d, x) for x in EXTREMES]
    points += [np.eye(d)[0] * x for x in (1.0, -1.0, 1e300)]
    points += [rng.choice(EXTREMES, d) for _ in range(size // 4)]
    spread = 10.0 ** rng.integers(-2, 3, size // 2)
    points += [np.round(rng.standard_normal(d) * s * 2) / 2 for s in spread]
    return [p for p in points if np.isfinite(p).all()]


def _lattice(d: int, bits: int, rng: Generator, size: int, *, box: bool) -> list[Any]:
    """Whole vectors of the cube ±2^bits, or of norm at most 2^bits: corners, then random ones."""
    top = 2**bits
    diagonal = top if box else int(top / d**0.5)
    points = [np.zeros(d)] + [s * top * np.eye(d)[i] for i in range(d) for s in (1, -1)]
    points += [np.full(d, diagonal), np.full(d, -diagonal), diagonal * (-1.0) ** np.arange(d), np.eye(d)[0]]
    for _ in range(size):
        direction = rng.uniform(-1, 1, d) if box else rng.standard_normal(d)
        norm = 1.0 if box else float(np.linalg.norm(direction)) or 1.0
        points.append(np.trunc(direction / norm * top * (1 - 1e-12) * float(rng.choice([1.0, 1.0, 0.3]))))
    return [tuple(float(x) for x in p) for p in points]


def _weighted(domain: WeightedRows, bits: int, rng: Generator, size: int) -> list[Row]:
    """All weight on one component, even shares, none, and random shares; rows on the lattice's corners."""
    top, k = 2**bits, domain.k
    points = _lattice(domain.d, bits, rng, size, box=False)
    rows = []
    for i in range(size):
        shares = [np.eye(k)[i % k] * top, np.full(k, top // k), np.zeros(k)][i % 3]
        if i >= size // 2:
            shares = np.floor(rng.dirichlet(np.ones(k)) * top)
        values = tuple(points[int(j)] for j in rng.integers(len(points), size=k))
        if i < 2 * domain.d:
            values = (points[1 + i],) * k
        rows.append(Row(values, True, tuple(float(w) for w in shares)))
    return rows


def simpler(row: Row, domain: Domain) -> list[Row]:
    """Rows with simpler numbers, simplest first: for shrinking."""
    found = [empty(domain)] if row.valid else []
    if row.weights is not None or not row.valid:
        return found
    flat = list(row.values)
    found += [Row((x,) * len(flat)) for x in (0.0, 1.0, -1.0) if any(y != x for y in flat)]
    for i, x in enumerate(flat):
        easier = dict.fromkeys((0.0, 1.0, float(np.round(x)), float(np.float32(_mild(x)))))
        shorter = [y for y in easier if y != x and len(str(y)) < len(str(x))]
        found += [Row((*flat[:i], y, *flat[i + 1 :])) for y in shorter]
    return found


def _mild(x: float) -> float:
    return x if abs(x) < 1e38 else 0.0
