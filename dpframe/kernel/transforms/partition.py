"""Partitions: by released rules, by the row index, by secret labels, and the secret sample."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.exact import lattice
from dpframe.kernel.indexing import permuted
from dpframe.kernel.operations import Batch, IntArray, Partition
from dpframe.kernel.registry import register
from dpframe.kernel.transforms.affine import through
from dpframe.proof.spaces import parts, whole


def inside(batch: Batch, ball: Any) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which rows lie in the ball, each decided alike whatever its batch."""
    with np.errstate(all="ignore"):
        scaled = batch.values / (2 * ball.radius) - ball.centre / (2 * ball.radius)
        norms = lattice.squared_norms(scaled)
    result: np.ndarray[Any, np.dtype[np.bool_]] = norms <= 0.25
    return result


def seen(batch: Batch, params: tuple[Any, ...]) -> Batch:
    """The rows as the rule sees them: through the released map that follows the balls, where there is one."""
    return batch if len(params) < 2 else through(batch, params[1])


@register("filter_ball")
@attrs.frozen
class FilterBall(Partition):
    """Part 0: rows inside a released ball; part 1: the others. Either may stay unused.

    With a released map the ball is one of its image: whole rows are parted by where their projections lie.

    Formal guarantees
    -----------------
    ``rule_partition``: a replaced row may leave one part and enter the other, or no part.

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> rows = Batch(0, np.array([[0.5], [3.0], [40.0]]), np.ones(3, dtype=bool))
    >>> FilterBall().assign(rows, None, BallValue(np.zeros(1), 10.0)).tolist()
    [0, 0, 1]
    """

    def assign(self, batch: Batch, n: int | None, *params: Any) -> IntArray:
        """0 inside, 1 outside."""
        return np.where(inside(seen(batch, params), params[0]), 0, 1)


@register("partition_balls")
@attrs.frozen
class PartitionBalls(Partition):
    """Part i: rows inside the i-th released ball that no earlier ball holds (C8: first ball wins).

    With a released map the balls are those of its image, as in ``filter_ball``.

    Parameters
    ----------
    balls : int
        Static bound on the number of balls; the last part holds the rows of no ball.

    Formal guarantees
    -----------------
    ``rule_partition``; overlapping balls are harmless because the first one wins.

    Examples
    --------
    >>> from dpframe.proof.spaces import BallValue
    >>> rows = Batch(0, np.array([[0.5], [3.0], [40.0]]), np.ones(3, dtype=bool))
    >>> PartitionBalls(balls=2).assign(rows, None, [BallValue(np.zeros(1), r) for r in (1.0, 10.0)]).tolist()
    [0, 1, 2]
    """

    balls: int = attrs.field(kw_only=True, validator=parts)

    def assign(self, batch: Batch, n: int | None, *params: Any) -> IntArray:
        """Index of the first ball that holds the row."""
        part, rows = np.full(len(batch.values), self.balls, dtype=np.int64), seen(batch, params)
        for i in reversed(range(len(params[0]))):
            part[inside(rows, params[0][i])] = i
        return part


@register("partition_nearest")
@attrs.frozen
class PartitionNearest(Partition):
    """Part i: rows nearest to the i-th of ``centres`` released points (ties to the first).

    Formal guarantees
    -----------------
    ``rule_partition``.

    Examples
    --------
    >>> rows = Batch(0, np.array([[0.5], [3.0], [40.0]]), np.ones(3, dtype=bool))
    >>> PartitionNearest(centres=2).assign(rows, None, np.array([[0.0], [50.0]])).tolist()
    [0, 0, 1]
    """

    centres: int = attrs.field(kw_only=True, validator=parts)

    def assign(self, batch: Batch, n: int | None, *params: Any) -> IntArray:
        """Index of the nearest point."""
        points = np.asarray(params[0], dtype=np.float64)
        distances = np.empty((len(batch.values), self.centres))
        with np.errstate(all="ignore"):
            for i, point in enumerate(points):
                offset = batch.values * 0.5 - point * 0.5
                distances[:, i] = np.abs(offset).max(axis=1)
                scale = np.where(distances[:, i] > 0, distances[:, i], 1.0)
                offset /= scale[:, None]
                distances[:, i] *= np.sqrt(lattice.squared_norms(offset))
        nearest: IntArray = np.argmin(distances, axis=1)
        return nearest


@register("partition_halfspace")
@attrs.frozen
class PartitionHalfspace(Partition):
    """Part 0: rows with ``(x − shift) @ matrix <= 0`` for a released map to one dimension; part 1: the others.

    Formal guarantees
    -----------------
    ``rule_partition``.

    Examples
    --------
    >>> from dpframe.proof.spaces import AffineValue
    >>> rows = Batch(0, np.array([[0.5], [3.0], [40.0]]), np.ones(3, dtype=bool))
    >>> PartitionHalfspace().assign(rows, None, AffineValue(np.array([3.0]), np.eye(1), 100.0)).tolist()
    [0, 0, 1]
    """

    def assign(self, batch: Batch, n: int | None, *params: Any) -> IntArray:
        """Side of the plane."""
        return np.where(through(batch, params[0]).values[:, 0] <= 0, 0, 1)


def _numbers(value: Any) -> tuple[int, ...]:
    """A list of a spec as a declared parameter."""
    return tuple(value)


@register("split")
@attrs.frozen
class Split(Partition):
    """Parts cut from the original row index along the fixed public permutation (halves, folds, blocks).

    Parameters
    ----------
    count : int
        Number of parts.
    seed : int
        Public seed of the permutation.
    weights : sequence of int
        Sizes of the parts relative to each other; none for equal ones.

    Formal guarantees
    -----------------
    ``index_partition``: under replace-one both edits carry one index, so every part may spend the whole
    budget. Refused in a part that a rule cut, and under add/remove.

    Examples
    --------
    >>> rows = Batch(0, np.zeros((6, 1)), np.ones(6, dtype=bool))
    >>> [np.bincount(split.assign(rows, 6)).tolist() for split in (Split(count=3), Split(count=2, weights=(1, 2)))]
    [[2, 2, 2], [2, 4]]
    """

    count: int = attrs.field(kw_only=True, validator=parts)
    seed: int = attrs.field(default=0, kw_only=True, validator=whole)
    weights: tuple[int, ...] = attrs.field(default=(), converter=_numbers, kw_only=True)

    @weights.validator
    def _weights(self, attribute: attrs.Attribute[Any], value: Any) -> None:
        if value and (len(value) != self.count or not all(type(w) is int and w >= 1 for w in value)):
            raise PlanError(
                f"weights of split must be {self.count} whole numbers of at least 1, not {list(value)!r}",
                fix="give one a part, or none",
            )

    def sizes(self, n: int) -> tuple[int, ...]:
        """Equal ones (fewer rows than parts leave the last ones empty), or as the weights say, rounded."""
        if not self.weights:
            size = max(1, n // self.count)
            return tuple(size if size * (i + 1) <= n else 0 for i in range(self.count))
        ends = [n * w // sum(self.weights) for w in itertools.accumulate(self.weights)]
        return tuple(b - a for a, b in zip([0, *ends], ends, strict=False))

    def assign(self, batch: Batch, n: int | None, *params: Any) -> IntArray:
        """Place in the permutation, scaled to parts; leftovers go nowhere."""
        if n is None:
            raise PlanError("split needs the number of rows", fix="declare n, or use secret_split")
        place = permuted(batch.index, n=n, seed=self.seed)
        if self.weights:
            return np.searchsorted(np.cumsum(self.sizes(n)), place, side="right")
        size = max(1, n // self.count)
        return np.where(place < size * self.count, np.minimum(place // size, self.count - 1), -1)


def part_sizes(n: int, count: int, weights: Sequence[int] = ()) -> tuple[int, ...]:
    """Rows of each part that ``split`` makes of n rows: public numbers, for recipes whose sizes follow them.

    Examples
    --------
    >>> part_sizes(100, 2), part_sizes(100, 2, (1, 3))
    ((50, 50), (25, 75))
    """
    return Split(count=count, weights=tuple(weights)).sizes(n)


@register("secret_split")
@attrs.frozen
class SecretSplit(Partition):
    """Each row to one of ``count`` parts by a secret independent uniform label: for add/remove.

    Formal guarantees
    -----------------
    ``secret_labels``: labels of common rows are coupled; the edited rows' labels fall anywhere.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> np.unique(SecretSplit(count=4).draw(100, SeededSource(1))).tolist()  # nobody learns which row is where
    [0, 1, 2, 3]
    """

    count: int = attrs.field(kw_only=True, validator=parts)

    def draw(self, n: int, source: Any) -> IntArray:
        """Secret labels of all rows, drawn once a run."""
        from dpframe.kernel.noise import uniform_below

        return np.asarray(uniform_below(source, self.count, n), dtype=np.int64)


@register("subsample")
@attrs.frozen
class Subsample(Partition):
    """A secret Poisson sample: each row is kept with probability ``rate``, a multiple of 2^−32.

    Formal guarantees
    -----------------
    ``secret_sample``: ε becomes ln(1 + p(e^ε − 1)) and δ becomes pδ, once for all that runs on the sample,
    where (ε, δ) is the worst over (1,1), (1,0) and (0,1); membership and size stay secret.

    Examples
    --------
    >>> from dpframe.kernel.noise import SeededSource
    >>> int(np.count_nonzero(Subsample(rate=0.1).draw(1000, SeededSource(1)) == 0))  # about 100, and never released
    116
    """

    rate: float = attrs.field(kw_only=True)

    @rate.validator
    def _rate(self, attribute: attrs.Attribute[Any], value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 2.0**-32 <= value <= 1:
            raise PlanError(f"rate must be a number in [2^-32, 1], not {value!r}", fix="give rate=0.1")

    def draw(self, n: int, source: Any) -> IntArray:
        """0 for sampled rows, −1 for the others; the rate is rounded down to a multiple of 2^−32."""
        from dpframe.kernel.noise import uniform_below

        return np.where(np.asarray(uniform_below(source, 2**32, n)) < int(self.rate * 2**32), 0, -1)
