"""The thesis's semimetric spaces as objects: Gaussians, components and mixtures; and bottleneck matching in batches.

dist_COV is the larger of ‖Σ₁^{−1/2}Σ₂Σ₁^{−1/2} − I‖_F and the same exchanged, dist_MEAN the larger Mahalanobis one,
dist_COMP the largest of these and of |w − w'|, dist_PARAM the least over matchings of the largest dist_COMP. All
satisfy d(a, c) <= z(r)·(d(a, b) + d(b, c)) for distances up to r with z(r) = 1 + r/2 (T5): the triangle of
``docs/theory/averaged-populous.md`` gives x + y + xy, and xy <= r(x + y)/2.

These are plain float64 numbers for analysis, tests and pictures. The kernel's own queries bound distances with their
rounding errors (``dpframe.kernel.families.block_mixtures``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.plugin import DomainError

Floats = np.ndarray[Any, np.dtype[np.float64]]
MOST_COMPONENTS = 12


@attrs.frozen
class SemimetricSpace:
    """Values with a distance and a triangle inequality that holds up to a radius.

    Attributes
    ----------
    name : str
    matrix : callable
        ``(first, second) -> (s, t)`` distances of two sequences of values.
    triangle : callable
        ``r -> z``.
    """

    name: str
    matrix: Callable[[Sequence[Any], Sequence[Any]], Floats]
    triangle: Callable[[float], float]

    def distance(self, a: Any, b: Any) -> float:
        """Distance of two values."""
        return float(self.matrix([a], [b])[0, 0])

    def neighbourhood(self, r: float) -> float:
        """The thesis's radius r/2z: two values within it of a third are within r of one another."""
        return r / (2 * self.triangle(r))


def shape_constant(r: float) -> float:
    """z(r) = 1 + r/2 (T5).

    Examples
    --------
    >>> shape_constant(1.0)
    1.5
    """
    return 1 + r / 2


def _gaussians(first: Sequence[Any], second: Sequence[Any]) -> Floats:
    """Values are (mean, covariance)."""
    return _of_components(*_both(first, second, lambda values: [(1.0, *v) for v in values]))


def _components(first: Sequence[Any], second: Sequence[Any]) -> Floats:
    """Values are (weight, mean, covariance)."""
    return _of_components(*_both(first, second, list))


def _mixtures(first: Sequence[Any], second: Sequence[Any]) -> Floats:
    """Values are (weights (k,), means (k, d), covariances (k, d, d)).

    A first matching on upper bounds bounds the distance of each pair of mixtures; the covariances of two components are
    compared only where a lower bound leaves them in question.
    """
    k = len(first[0][0])
    if any(len(v[0]) != k for v in (*first, *second)) or k > MOST_COMPONENTS:
        raise DomainError(f"mixtures are matched with one number of components, at most {MOST_COMPONENTS}")
    one, two = _both(first, second, lambda values: [c for v in values for c in zip(*v, strict=True)])
    shape = len(first), k, len(second), k
    rest, (low, high) = _weights_and_means(one, two), _shape_bounds(one, two)
    most = bottleneck(np.maximum(rest, high).reshape(shape).transpose(0, 2, 1, 3))
    pairs = np.maximum(rest, low)
    needed = (pairs.reshape(shape) <= most[:, None, :, None]).reshape(pairs.shape)
    pairs[needed] = np.maximum(rest, _shapes(one, two, needed))[needed]
    return bottleneck(pairs.reshape(shape).transpose(0, 2, 1, 3))


def bottleneck(pairs: Floats) -> Floats:
    """The least over matchings of the largest matched entry, for each of many square tables.

    Parameters
    ----------
    pairs : ndarray, shape (..., k, k)

    Returns
    -------
    ndarray, shape (...)
        f(S) is the best way to match the first |S| rows with the columns S, and f(S) = min over b in S of
        max(f(S − b), entry): 2^k·k/2 steps on whole arrays.

    Examples
    --------
    >>> float(bottleneck(np.array([[1.0, 2.0], [5.0, 9.0]])))
    5.0
    """
    k = pairs.shape[-1]
    best: dict[int, Floats] = {0: np.full(pairs.shape[:-2], -np.inf)}
    for row in range(k):
        longer: dict[int, Floats] = {}
        for taken, value in best.items():
            for b in range(k):
                if not taken >> b & 1:
                    new, at = np.maximum(value, pairs[..., row, b]), taken | 1 << b
                    longer[at] = np.minimum(longer[at], new) if at in longer else new
        best = longer
    return best[(1 << k) - 1]


# ------------------------------------------------------------------------------- components in batches


@attrs.frozen(eq=False)
class _Stack:
    """Components: weights (m,), means (m, d), upper halves of covariances (m, p), whitenings (m, d, d)."""

    weights: Floats
    means: Floats
    halves: Floats
    white: Floats


def _both(
    first: Sequence[Any], second: Sequence[Any], components: Callable[[Sequence[Any]], list[Any]]
) -> tuple[_Stack, _Stack]:
    """Both stacks, which are one and the same for the distances within one sequence."""
    stack = _stacked(components(first))
    return stack, stack if second is first else _stacked(components(second))


def _stacked(values: Sequence[Any]) -> _Stack:
    weights = np.array([v[0] for v in values], dtype=np.float64)
    means, covariances = (np.array([v[i] for v in values], dtype=np.float64) for i in (1, 2))
    try:
        white = np.linalg.inv(np.linalg.cholesky(covariances))
    except np.linalg.LinAlgError:
        raise DomainError("a covariance is not positive definite") from None
    row, column = np.triu_indices(means.shape[1])
    return _Stack(weights, means, np.ascontiguousarray(covariances[:, row, column]), white)


def _of_components(first: _Stack, second: _Stack) -> Floats:
    rest = _weights_and_means(first, second)
    return np.maximum(rest, _shapes(first, second, np.ones(rest.shape, dtype=np.bool_)))


def _weights_and_means(first: _Stack, second: _Stack) -> Floats:
    there = _means_one_way(first, second)
    back = there if second is first else _means_one_way(second, first)
    out: Floats = np.maximum(np.maximum(there, back.T), np.abs(first.weights[:, None] - second.weights[None, :]))
    return out


def _shapes(first: _Stack, second: _Stack, needed: Any) -> Floats:
    """dist_COV where it is needed."""
    if second is first:
        there = _shapes_one_way(first, second, needed | needed.T)
        return np.maximum(there, there.T)
    return np.maximum(_shapes_one_way(first, second, needed), _shapes_one_way(second, first, needed.T).T)


def _shapes_one_way(first: _Stack, second: _Stack, needed: Any) -> Floats:
    """‖V_iΣ_jV_iᵀ − I‖_F for the pairs needed, V_i a whitening of the first ones; on upper halves."""
    row, column = np.triu_indices(first.means.shape[1])
    root, one = np.where(row == column, 1.0, np.sqrt(2.0)), np.where(row == column, 1.0, 0.0)
    halves, out = second.halves * root, np.zeros(needed.shape)
    for i, v in enumerate(first.white):
        chosen = np.flatnonzero(needed[i])
        turn = v[row][:, row] * v[column][:, column] + v[row][:, column] * v[column][:, row]
        seen = halves[chosen] @ (turn.T * (root[:, None] * root / 2)) - one
        out[i, chosen] = np.sqrt(np.einsum("jp,jp->j", seen, seen))
    return out


def _shape_bounds(first: _Stack, second: _Stack) -> tuple[Floats, Floats]:
    """Below and above dist_COV: with J = tr(Σ₁⁻¹Σ₂) + tr(Σ₂⁻¹Σ₁) − 2d it is at least √J, at most √(λJ).

    λ = 1 + J/2 + √(J + J²/4) bounds every eigenvalue of Σ₁⁻¹Σ₂ and its inverse.
    """
    d = first.means.shape[1]
    row, column = np.triu_indices(d)
    double = np.where(row == column, 1.0, 2.0)
    inverses = [(np.swapaxes(s.white, 1, 2) @ s.white)[:, row, column] * double for s in (first, second)]
    there = inverses[0] @ second.halves.T
    both = there + (there.T if second is first else first.halves @ inverses[1].T)
    slack = 1e-9 * both
    low, high = np.maximum(both - 2 * d - slack, 0.0), np.maximum(both - 2 * d, 0.0) + slack
    return np.sqrt(low), np.sqrt((1 + high / 2 + np.sqrt(high + high * high / 4)) * high)


def _means_one_way(first: _Stack, second: _Stack) -> Floats:
    out = np.empty((len(first.means), len(second.means)))
    for i, (mean, white) in enumerate(zip(first.means, first.white, strict=True)):
        out[i] = np.linalg.norm((second.means - mean) @ white.T, axis=1)
    return out


GAUSSIANS = SemimetricSpace("gaussians", _gaussians, shape_constant)
COMPONENTS = SemimetricSpace("components", _components, shape_constant)
MIXTURES = SemimetricSpace("mixtures", _mixtures, shape_constant)
