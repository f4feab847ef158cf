"""Released values in every domain: ordinary ones, ties and zeros, lattice edges, tiny and huge scales.

Plain NumPy, so that ``dpframe check`` needs no further package. Every value passes its domain's own check.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpframe.errors import DomainError
from dpframe.kernel.families.density_scores import FamilyMixtures
from dpframe.kernel.families.hypotheses import Hypotheses
from dpframe.kernel.mechanisms.stable_histogram import ReleasedCells
from dpframe.kernel.statistics.cells import Grids
from dpframe.proof.spaces import (
    AffineMap,
    AffineValue,
    Array,
    Ball,
    BallValue,
    Counts,
    Domain,
    Flag,
    Gaussian,
    GaussianValue,
    Index,
    ListOf,
    Mixture,
    MixtureValue,
    Outcome,
    Record,
    SparseCounts,
    Subspace,
    Symmetric,
    Vector,
    Whitening,
    WhiteningValue,
)

Generator = np.random.Generator
SCALES = (1.0, 0.0, 1e-3, 1e6, 1e-150, 1e150)
"""Sizes of released values: one, ties at 0, small, large, and near the ends of what squares."""

RECORDS: dict[str, Callable[[Generator, float], Any]] = {
    "hypotheses": lambda rng, scale: Hypotheses.of(
        rng.dirichlet(np.ones(2), size=2),
        _numbers(rng, (2, 2, 2), scale),
        _size(scale) ** 2 * rng.exponential(size=(2, 2, 2)),
    ),
    "family_mixtures": lambda rng, scale: FamilyMixtures(
        "unit_gaussian", _numbers(rng, (3, 2), scale), np.array([[0, 1], [2, 0]]), rng.dirichlet(np.ones(2), size=2)
    ),
    "grids": lambda rng, scale: Grids(_numbers(rng, (2,), scale), np.array([_size(scale), 2 * _size(scale)])),
}
"""How to draw records by name. A plugin may add its own; records that operations make are found by themselves."""


def _size(scale: float) -> float:
    return scale if scale > 0 else 1.0


def _numbers(rng: Generator, shape: tuple[int, ...], scale: float) -> Any:
    """Normal numbers, half the time whole ones, so that ties and exact edges occur."""
    numbers = rng.standard_normal(shape) * 2
    return (np.round(numbers) if rng.random() < 0.5 else numbers) * scale


def _covariance(rng: Generator, d: int, scale: float) -> Any:
    root = np.tril(_numbers(rng, (d, d), 0.25), -1) + np.eye(d)
    covariance = root @ root.T * _size(scale) ** 2
    return (covariance + covariance.T) / 2


def _affine(rng: Generator, domain: AffineMap, scale: float) -> AffineValue:
    matrix = _numbers(rng, (domain.d, domain.p), 1.0 / _size(scale))
    return AffineValue(_numbers(rng, (domain.d,), scale), matrix, 8.0 * _size(scale))


def _whitening(rng: Generator, domain: Whitening, scale: float) -> WhiteningValue:
    square = AffineMap(domain.d, domain.d)
    maps = tuple(_affine(rng, square, scale) for _ in range(domain.k))
    return WhiteningValue(maps, _numbers(rng, (domain.k,), 1.0), 3.0, float(rng.choice([0.0, 1.8])))


def _mixture(rng: Generator, domain: Mixture, scale: float) -> MixtureValue:
    weights = np.zeros(domain.k)
    weights[int(rng.integers(domain.k))] = 1.0
    if rng.random() < 0.75:
        weights = rng.dirichlet(np.ones(domain.k))
    covariances = np.array([_covariance(rng, domain.d, scale) for _ in range(domain.k)])
    return MixtureValue(weights, _numbers(rng, (domain.k, domain.d), scale), covariances)


def _cells(rng: Generator, domain: SparseCounts, scale: float) -> tuple[ReleasedCells, ...]:
    def level() -> ReleasedCells:
        count = int(rng.integers(4))
        ids = np.unique(rng.integers(-3, 4, (count, domain.p)), axis=0)
        return ReleasedCells(ids, 20.0 + 10 * rng.random(len(ids)), 10, _size(min(scale, 10.0)))

    return tuple(level() for _ in range(domain.levels))


def _symmetric(rng: Generator, domain: Symmetric, scale: float) -> Any:
    matrix = _numbers(rng, domain.shape, scale)
    return (matrix + np.swapaxes(matrix, -1, -2)) / 2


def _record(rng: Generator, domain: Record, scale: float) -> Any:
    if domain.name not in RECORDS:
        raise DomainError(
            f"no way to draw a record {domain.name!r}", fix="add it to dpframe.testing.battery.values.RECORDS"
        )
    return RECORDS[domain.name](rng, scale)


_DRAW: dict[type[Domain], Callable[[Generator, Any, float], Any]] = {
    Vector: lambda rng, domain, scale: _numbers(rng, (domain.d,), scale),
    Array: lambda rng, domain, scale: _numbers(rng, domain.shape, scale),
    Symmetric: _symmetric,
    Counts: lambda rng, domain, scale: _numbers(rng, (domain.m,), 10 * scale),
    SparseCounts: _cells,
    Index: lambda rng, domain, scale: [None, *range(domain.m)][int(rng.integers(domain.m + 1))],
    Flag: lambda rng, domain, scale: Outcome(bool(rng.random() < 0.5), float(_numbers(rng, (), scale))),
    Ball: lambda rng, domain, scale: BallValue(
        _numbers(rng, (domain.d,), scale),
        2.0 ** float(rng.integers(-3, 2)) * _size(scale),  # 0 in it, or outside
    ),
    Subspace: lambda rng, domain, scale: np.linalg.qr(rng.standard_normal((domain.d, domain.p)))[0],
    AffineMap: _affine,
    Whitening: _whitening,
    Gaussian: lambda rng, d, scale: GaussianValue(_numbers(rng, (d.d,), scale), _covariance(rng, d.d, scale)),
    Mixture: _mixture,
    Record: _record,
    ListOf: lambda rng, domain, scale: [
        draw(domain.item, rng, scale) for _ in range(int(rng.integers(domain.max_length + 1)))
    ],
}


def drawable(domain: Domain) -> bool:
    """Whether :func:`draw` knows this domain."""
    if isinstance(domain, ListOf):
        return drawable(domain.item)
    if isinstance(domain, Subspace):
        return domain.p <= domain.d
    return domain.name in RECORDS if isinstance(domain, Record) else type(domain) in _DRAW


def draw(domain: Domain, rng: Generator, scale: float = 1.0) -> Any:
    """A value of a released domain.

    Parameters
    ----------
    domain : Domain
    rng : numpy.random.Generator
    scale : float
        Size of its numbers; 0 gives ties at 0 where the domain has them.

    Raises
    ------
    DomainError
        For a domain of private values, or a record nobody said how to draw.
    """
    if type(domain) not in _DRAW:
        raise DomainError(f"no released value belongs to {domain}")
    value = _DRAW[type(domain)](rng, domain, scale)
    domain.check(value)
    return value


def landmarks(value: Any, d: int) -> list[Any]:
    """Points of d coordinates where a released value may change its mind: centres, edges, corners."""
    if isinstance(value, BallValue):
        return _around(value.centre, value.radius) if len(value.centre) == d else []
    if isinstance(value, AffineValue):
        return _around(value.shift, value.scale) if len(value.shift) == d else []
    if isinstance(value, WhiteningValue):
        return [p for item in value.maps for p in landmarks(item, d)]
    if isinstance(value, MixtureValue):
        means = np.asarray(value.means)
        return [*means, means.mean(axis=0)] if means.shape[1] == d else []
    if isinstance(value, (list, tuple)):
        return [p for item in value for p in landmarks(item, d)]
    if isinstance(value, Grids) and len(value.offset) == d:
        return [value.offset, value.offset + value.sizes.min(initial=1.0)]
    array = np.asarray(value) if isinstance(value, np.ndarray) else np.zeros((0, d))
    if array.ndim == 2 and array.shape[1] == d:
        return [*array, array.mean(axis=0)] if len(array) else []
    return [array] if array.shape == (d,) else []


def _around(centre: Any, radius: float) -> list[Any]:
    """The centre, and points on, just inside and far outside the sphere."""
    axis = np.zeros_like(centre)
    axis[0] = 1.0
    with np.errstate(all="ignore"):
        points = [centre + s * axis * radius for s in (0.0, 1.0, -1.0, float(np.nextafter(1.0, 0.0)), 3.0)]
        points.append(centre + radius * np.ones_like(centre))
    return [p for p in points if np.isfinite(p).all()]
