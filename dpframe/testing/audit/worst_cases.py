"""Neighbours on which a mechanism's loss is largest or nearly so, and how to sample its releases in bulk.

A case holds the two exact inputs; a sampler turns one of them into features, one row a release, by the
mechanism's own ``release``: noise is independent across coordinates, so one call on R copies is R releases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import SpecError
from dpframe.kernel.operations import Exact, Mechanism
from dpframe.proof.spaces import L1, L2, Array, Counts, Domain, LInf, OneSided, SparseCounts, Symmetric, Vector, Within
from dpframe.proof.theorems import Metrics
from dpframe.testing.audit import mask_cases

Floats = npt.NDArray[np.float64]
Sampler = Callable[[Mechanism, Exact, Mapping[str, Any], Domain, Any, int], Floats]
STEP = Fraction(1, 2**20)
MOST, SLOW = 10_000_000, 1_000_000


@attrs.frozen(eq=False)
class Case:
    """Two neighbours at the input of a mechanism.

    Attributes
    ----------
    name : str
    domain : Domain
        Of the input.
    metrics : tuple
        How far apart the two are: what the loss is claimed for.
    first, second : Exact
    sample : callable
        Releases as features.
    adjust : callable, optional
        A change of the calibration, claimed and released alike.
    most : int
        Releases on each side at most: what memory and patience allow.
    """

    name: str
    domain: Domain
    metrics: Metrics
    first: Exact
    second: Exact
    sample: Sampler
    adjust: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    most: int = MOST

    def noise(self, calibration: Mapping[str, Any]) -> dict[str, Any]:
        """The calibration that is attacked."""
        return dict(calibration) if self.adjust is None else self.adjust(calibration)


def copies(mechanism: Mechanism, exact: Exact, calibration: Any, domain: Domain, source: Any, times: int) -> Floats:
    """R copies of a vector through one release."""
    integers = np.asarray(exact.integers)
    stacked = Exact(np.ascontiguousarray(np.broadcast_to(integers, (times, *integers.shape))), exact.step)
    released = np.asarray(mechanism.release(stacked, calibration, domain, source), dtype=np.float64)
    return released.reshape(times, -1)


def one_by_one(mechanism: Mechanism, exact: Exact, calibration: Any, domain: Domain, source: Any, times: int) -> Floats:
    """Releases one at a time: an index (−1 for none), or an outcome's noisy value and verdict."""
    rows = mechanism.release_many(exact, calibration, domain, source, times)
    return np.array([_flat(row) for row in rows], dtype=np.float64).reshape(times, -1)


def mixtures(mechanism: Mechanism, exact: Exact, calibration: Any, domain: Domain, source: Any, times: int) -> Floats:
    """Released mixtures one at a time: all their numbers."""
    found = mechanism.release_many(exact, calibration, domain, source, times)
    return np.array([np.concatenate([f.weights, f.means.ravel(), f.covariances.ravel()]) for f in found])


def _flat(released: Any) -> list[float]:
    if released is None:
        return [-1.0]
    if hasattr(released, "passed"):
        return [float(released.value), float(released.passed)]
    return [float(v) for v in np.ravel(released)]


def bins(mechanism: Mechanism, exact: Exact, calibration: Any, domain: Domain, source: Any, times: int) -> Floats:
    """A histogram of R·b bins as R histograms of b bins: noisy count where published, −∞ where not."""
    counts = np.asarray(exact.integers)
    ids = np.arange(times * counts.size).reshape(-1, 1)
    occupied = np.tile(counts, times) > 0
    inside = Exact([(ids[occupied], np.tile(counts, times)[occupied].astype(np.int64))])
    level = mechanism.release(inside, calibration, domain, source)[0]
    out = np.full(times * counts.size, -np.inf)
    out[level.ids[:, 0]] = level.counts
    table = out.reshape(times, -1)
    if counts.size == 1:
        return table
    either = np.where(np.isfinite(table[:, 0]) & (counts[0] <= 1), -np.inf, table[:, 1])
    return np.column_stack([table, either])


def off_diagonal(
    mechanism: Mechanism, exact: Exact, calibration: Any, domain: Domain, source: Any, times: int
) -> Floats:
    """The off-diagonal entry of R matrices."""
    return copies(mechanism, exact, calibration, domain, source, times)[:, 1:2]


def _vector(bound: Any) -> Case:
    """A number that moves by its whole bound."""
    low, high = np.zeros(1, dtype=np.int64), np.array([2**20], dtype=np.int64)
    return Case("one coordinate", Vector(1), (bound,), Exact(low, STEP), Exact(high, STEP), copies)


def _matrix() -> Case:
    """A symmetric matrix that moves in an off-diagonal direction, and so by √2 times the entry."""
    side = int(2**20 / 2**0.5)
    high = np.array([[0, side], [side, 0]], dtype=np.int64)
    zero = Exact(np.zeros((2, 2), dtype=np.int64), STEP)
    return Case("off-diagonal", Symmetric(2), (L2(1.0),), zero, Exact(high, STEP), off_diagonal)


def _cells(name: str, first: list[int], second: list[int], *metrics: Any) -> Case:
    exact = Exact(np.array(first)), Exact(np.array(second))
    return Case(name, SparseCounts(1, 1), metrics, *exact, bins)


def _scores(name: str, first: list[int], second: list[int]) -> Case:
    exact = Exact(np.array(first, dtype=np.int64)), Exact(np.array(second, dtype=np.int64))
    return Case(name, Counts(len(first)), (LInf(1.0),), *exact, one_by_one, most=SLOW)


def _number() -> Case:
    exact = Exact(np.array([0]), STEP), Exact(np.array([2**20]), STEP)
    return Case("one number", Counts(1), (L1(1.0),), *exact, one_by_one, most=SLOW)


def _registered() -> Case:
    """Two values at distance 1, for a mask of the semimetric ``euclidean`` with r = 1."""
    metrics: Metrics = (Within("euclidean", 1.0),)
    exact = Exact(np.array([0])), Exact(np.array([1]))
    return Case("one coordinate, as released", Vector(1), metrics, *exact, one_by_one, most=10_000)


def _lifted() -> Case:
    """Two components far apart, each moved by 1, for a mask of ``euclidean``: released in random order."""
    metrics: Metrics = (Within("euclidean of components", 1.0),)
    exact = Exact(np.array([[0], [10**6]])), Exact(np.array([[1], [10**6 + 1]]))
    return Case("two components, as released", Array((2, 1)), metrics, *exact, in_order, most=2000)


def in_order(
    mechanism: Mechanism, exact: Exact, calibration: Mapping[str, Any], domain: Domain, source: Any, times: int
) -> Floats:
    """The sum of each release's components: what tells most, whatever their order."""
    drawn = mechanism.release_many(exact, calibration, domain, source, times)
    return np.array([np.sum(value) - 10**6 for value in drawn])[:, None]


def _masks() -> tuple[Case, ...]:
    """In bulk with the exact likelihood ratio, and a few thousand as the kernel releases them."""
    cases = [
        Case(name, domain, (metric,), pair.first, pair.second, mask_cases.audited(pair), adjust)
        for name, pair, domain, metric, adjust in mask_cases.table()
    ]
    return (*cases, attrs.evolve(cases[1], name="as released, 1 component, d=1", sample=mixtures, most=10_000))


def cases(name: str) -> tuple[Case, ...]:
    """The worst cases of a kernel mechanism, by its registered name.

    Raises
    ------
    SpecError
        For a mechanism without a case; give its plan to the audit instead.
    """
    replaced = (L1(2.0), L2(2**0.5), LInf(1.0), OneSided(1.0))
    crossed = (L1(1.0), L2(1.0), LInf(1.0), OneSided(1.0))
    many = 40
    table: dict[str, Callable[[], tuple[Case, ...]]] = {
        "gaussian": lambda: (_vector(L2(1.0)), _matrix()),
        "discrete_gaussian": lambda: (_vector(L2(1.0)),),
        "laplace": lambda: (_vector(L1(1.0)),),
        "stable_histogram": lambda: (
            _cells("counts of two common bins", [10**6, 10**6], [10**6 + 1, 10**6 - 1], *replaced),
            _cells("a bin on one side only, and a common one", [1, 10**6], [0, 10**6 + 1], *crossed),
        ),
        "truncated_laplace_test": lambda: (_number(),),
        "mixture_mask": _masks,
        "lift": lambda: (_lifted(),),
        "registered_mask": lambda: (_registered(),),
        "exponential_mechanism": lambda: (_scores("one up, the others down", [0] * many, [1] + [-1] * (many - 1)),),
        "permute_and_flip": lambda: (_scores("one up, the others down", [0] * many, [1] + [-1] * (many - 1)),),
        "above_threshold": lambda: (_scores("all move against the threshold", [0] * 8, [1] * 8),),
    }
    if name not in table:
        known = ", ".join(sorted(table))
        raise SpecError(
            f"no worst case is known for {name!r}",
            fix=f"audit a spec that uses it, one of {known}, or add a case to {__name__}",
        )
    return table[name]()
