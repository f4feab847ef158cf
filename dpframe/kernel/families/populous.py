"""``populous_weight`` and ``populous_average``: how many blocks agree, and the average of those that do (T8)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.block_mixtures import Blocked, Floats, matching, near_blocks, read_blocks
from dpframe.kernel.operations import Exact, Query, Steps, wants
from dpframe.kernel.registry import register
from dpframe.proof.families.populous import check_blocks
from dpframe.proof.spaces import Blocks, Domain, positive, positive_whole


@attrs.frozen
class _Populous(Query):
    """Parameters that the weight of populous blocks and their average share.

    Parameters
    ----------
    k, d : int
        Size of the blocks' mixtures.
    r : float
        Blocks of positive weight are pairwise within r; at most 1.
    majority : int
        A block weighs nothing until more blocks than this are near it; at least t/2.
    ramp : int
        How many more give it full weight.
    """

    k: int = attrs.field(kw_only=True, validator=positive_whole)
    d: int = attrs.field(kw_only=True, validator=positive_whole)
    r: float = attrs.field(kw_only=True, validator=positive)
    majority: int = attrs.field(kw_only=True, validator=positive_whole)
    ramp: int = attrs.field(kw_only=True, validator=positive_whole)

    def admit(self, *inputs: Domain) -> None:
        """Majority and ramp that fit the number of blocks."""
        check_blocks(self.parameters(), wants(inputs[0], Blocks, self.name).t)

    def _weighted(self, exact: Exact) -> tuple[Blocked, Any]:
        """The blocks with their weights times ``ramp``, whole numbers."""
        blocks = read_blocks(list(exact.integers), self.k, self.d, self.r)
        counts = near_blocks(blocks, self.r).sum(axis=1).astype(np.int64)
        return blocks, np.clip(counts - self.majority, 0, self.ramp)


@register("populous_weight")
@attrs.frozen
class PopulousWeight(_Populous):
    """W = Σ over blocks of clamp((c − majority)/ramp, 0, 1), c being the number of blocks near it.

    Formal guarantees
    -----------------
    Sensitivity: 1 + (t − 1)/ramp for one changed block (``populous_weight``).

    References
    ----------
    docs/theory/averaged-populous.md.

    Examples
    --------
    >>> def block(at):
    ...     return np.array([1.0]), np.array([[at]]), np.array([[[1.0]]])
    >>> blocks = Exact([block(0.001 * i) for i in range(5)] + [block(50.0)])
    >>> PopulousWeight(k=1, d=1, r=0.5, majority=3, ramp=2).evaluate(blocks).floats.tolist()
    [5.0]
    """

    def step(self, steps: Steps, *inputs: Domain) -> Fraction | None:
        """1/ramp."""
        return Fraction(1, self.ramp)

    def evaluate(self, *values: Any) -> Exact:
        """Exact in steps of 1/ramp."""
        weights = self._weighted(values[0])[1]
        return Exact(np.array([int(weights.sum())], dtype=np.int64), Fraction(1, self.ramp))


@register("populous_average")
@attrs.frozen
class PopulousAverage(_Populous):
    """The average of the blocks, weighted as ``populous_weight`` does, matched component by component.

    It exists if the test passed. Inside the executor its value is weights, means and lower triangular roots.

    Parameters
    ----------
    test_threshold : float
        What the test asks of W at least.

    Formal guarantees
    -----------------
    Given the passed test, two neighbours' averages are within γ_avg of one another in the component semimetric,
    rounding included (``populous_average``). The planner checks that the test looked at the weight of these
    blocks with the same parameters, and asks for at least ``test_threshold``.

    References
    ----------
    docs/theory/averaged-populous.md.

    Examples
    --------
    >>> def block(at):
    ...     return np.array([1.0]), np.array([[at]]), np.array([[[1.0]]])
    >>> blocks = Exact([block(0.001 * i) for i in range(5)] + [block(50.0)])
    >>> average = PopulousAverage(k=1, d=1, r=0.5, majority=3, ramp=2, test_threshold=4.0).evaluate(blocks)
    >>> average.integers[1].round(6).tolist()  # the mean: the block far away has no weight
    [[0.002]]
    """

    test_threshold: float = attrs.field(kw_only=True, validator=positive)

    def evaluate(self, *values: Any) -> Exact:
        """Average; the standard mixture where no block has weight, which a passed test excludes."""
        blocks, weights = self._weighted(values[0])
        k, d = self.k, self.d
        chosen = np.flatnonzero(weights)
        if not len(chosen):
            return Exact((np.full(k, 1 / k), np.zeros((k, d)), np.tile(np.eye(d), (k, 1, 1))))
        first = int(chosen[0])
        index = np.array([[i * k + b for b in matching(blocks, int(i), first, self.r)] for i in chosen])
        heavy = weights[chosen]
        mixture = [average(part[index], heavy) for part in (blocks.weights, blocks.means, blocks.covariances)]
        return Exact((mixture[0], mixture[1], np.array([root(c) for c in mixture[2]])))


def average(values: Floats, weights: Any) -> Floats:
    """Σ w_i·x_i / Σ w_i over the first axis, each entry to two roundings: the sum is exact, then rounded once.

    Weights are whole numbers below 2^26.
    """
    flat = np.ascontiguousarray(values).reshape(len(weights), -1)
    high = (flat.view(np.int64) & ~np.int64(2**27 - 1)).view(np.float64)
    scaled = weights.astype(np.float64)[:, None]
    products = np.concatenate([high * scaled, (flat - high) * scaled])
    total = float(weights.sum())
    sums = [math.fsum(column.tolist()) / total for column in products.T]
    return np.array(sums).reshape(values.shape[1:])


def root(matrix: Floats) -> Floats:
    """Lower triangular L with LLᵀ the matrix, row by row in a fixed order; pivots are positive by the proof."""
    d = len(matrix)
    lower = np.zeros((d, d))
    for i in range(d):
        for j in range(i):
            lower[i, j] = (matrix[i, j] - _dot(lower[i, :j], lower[j, :j])) / lower[j, j]
        pivot = matrix[i, i] - _dot(lower[i, :i], lower[i, :i])
        lower[i, i] = math.sqrt(max(pivot, matrix[i, i] * 2.0**-60))
    return lower


def _dot(a: Floats, b: Floats) -> float:
    total = 0.0
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        total += x * y
    return total
