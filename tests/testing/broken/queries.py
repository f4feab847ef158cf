"""Broken partitions, gathers and queries."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from dpframe.kernel.families.block_candidates import BlockCells, BlockCounts, BlockMoments
from dpframe.kernel.operations import Batch, Exact
from dpframe.kernel.queries.scores import Cap, GroupMaximum
from dpframe.kernel.transforms.pairs import Pairs
from dpframe.kernel.transforms.partition import FilterBall, PartitionBalls, Split
from tests.testing.broken.base import breaks


@breaks("partition", "filter_ball")
class SplitsAtTheMedian(FilterBall):
    """Half of the batch in each part."""

    def assign(self, batch: Batch, n: int | None, *params: Any) -> Any:
        order = np.argsort(batch.values[:, 0], kind="stable")
        part = np.zeros(len(order), dtype=np.int64)
        part[order[len(order) // 2 :]] = 1
        return part


@breaks("partition", "filter_ball")
class MapsAboutTheMean(FilterBall):
    """Through a released map, but about the mean of the batch: every row moves every other one's projection."""

    def assign(self, batch: Batch, n: int | None, *params: Any) -> Any:
        if len(params) > 1 and batch.valid.any():
            ball, map_ = params
            with np.errstate(all="ignore"):
                held = np.where(batch.valid[:, None], np.clip(batch.values, -1e150, 1e150), 0.0)
                mean = held.sum(axis=0) / np.count_nonzero(batch.valid)
            params = (ball, attrs.evolve(map_, shift=mean))
        return super().assign(batch, n, *params)


@breaks("partition", "partition_balls")
class HoldsTheFirstOnly(PartitionBalls):
    """Each ball holds one row of a batch, the first; the others are in no ball."""

    def assign(self, batch: Batch, n: int | None, *params: Any) -> Any:
        part = super().assign(batch, n, *params)
        _, first = np.unique(part, return_index=True)
        kept = np.full(len(part), self.balls, dtype=np.int64)
        kept[first] = part[first]
        return kept


@breaks("domain", "filter_ball")
class InventsAPart(FilterBall):
    """Part 2 of 2."""

    def assign(self, batch: Batch, n: int | None, *params: Any) -> Any:
        return super().assign(batch, n, *params) + 1


@breaks("partition", "split")
class SplitsByValue(Split):
    """Says by index, looks at the row: its parts would be priced as disjoint halves."""

    def assign(self, batch: Batch, n: int | None, *params: Any) -> Any:
        return (batch.values[:, 0] > 0).astype(np.int64)


@breaks("grouping", "pairs")
class OverlappingPairs(Pairs):
    """Each row with the next one: one edit changes two pairs."""

    def indices(self, n: int, source: Any) -> Any:
        return np.stack([np.arange(max(n - 1, 0)), np.arange(1, max(n, 1))], axis=1)


@breaks("grouping", "pairs")
class PairsAfterFiltering(Pairs):
    """Drops missing rows first, so that one missing row shifts every later pair."""

    def combine(self, groups: Batch) -> Batch:
        d = groups.values.shape[-1]
        flat, valid = groups.values.reshape(-1, d), groups.valid.ravel()
        order = np.argsort(~valid, kind="stable")
        moved = attrs.evolve(
            groups, values=flat[order].reshape(groups.values.shape), valid=valid[order].reshape(groups.valid.shape)
        )
        return super().combine(moved)


@breaks("sensitivity", "cap")
class Doubles(Cap):
    """Twice the capped score."""

    def evaluate(self, *values: Any) -> Exact:
        exact = super().evaluate(*values)
        return Exact(exact.integers * 2, exact.step)


@breaks("sensitivity", "block_counts")
class CountsCandidates(BlockCounts):
    """Counts candidates, not blocks: one row changes all k of its block."""

    def evaluate(self, *values: Any) -> Exact:
        blocks, balls = values
        counts = np.zeros(self.size, dtype=np.int64)
        for i, ball in enumerate(balls[: self.size]):
            for result in blocks.integers:
                if result is not None:
                    with np.errstate(all="ignore"):
                        near = np.abs((np.asarray(result[0]) - ball.centre) / ball.radius) <= 0.5
                    counts[i] += np.count_nonzero(near.all(axis=1))
        return Exact(counts)


@breaks("purity", "cap")
class CapsInPlace(Cap):
    """Writes the cap into its input."""

    def evaluate(self, *values: Any) -> Exact:
        np.minimum(values[0].integers, int(self.t / values[0].step), out=values[0].integers)
        return values[0]


@breaks("sensitivity", "block_cells")
class CellsOfCandidates(BlockCells):
    """Counts candidates, not blocks: k of one block may share a cell."""

    def evaluate(self, *values: Any) -> Exact:
        exact = super().evaluate(*values)
        return Exact([(ids, counts * self.k) for ids, counts in exact.integers])


@breaks("sensitivity", "block_moments")
class UnclippedPayload(BlockMoments):
    """The payload is clipped to a ball eight times as large."""

    def evaluate(self, *values: Any) -> Exact:
        blocks, ball, payload = values
        wide = super().evaluate(blocks, ball, attrs.evolve(payload, radius=8 * payload.radius))
        last = np.asarray(wide.integers).copy()
        last[self.d : -1] *= 8
        return Exact(last, wide.step)


@breaks("sensitivity", "group_maximum")
class GroupSum(GroupMaximum):
    """The sum of each group."""

    def evaluate(self, *values: Any) -> Exact:
        return Exact(np.reshape(values[0].integers, (self.groups, -1)).sum(axis=1), values[0].step)
