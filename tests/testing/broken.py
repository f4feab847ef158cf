"""Operations that break one promise each, the layer that must say so, and their honest twins."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.mechanisms.gaussian import GaussianMechanism
from dpframe.operations import PARAM, Batch, Exact, Failed, Operation, Post, Slot, wants
from dpframe.queries.candidates import BlockCounts
from dpframe.queries.scores import Cap
from dpframe.spaces import Counts, Domain, Rows, Vector
from dpframe.statistics.bins import BinCounts
from dpframe.statistics.count import Count
from dpframe.statistics.sums import BoxSum, Sum
from dpframe.transforms.clip_ball import ClipBall
from dpframe.transforms.clip_box import ClipBox
from dpframe.transforms.pairs import Pairs
from dpframe.transforms.partition import FilterBall, Split

TABLE: list[tuple[str, type[Operation], str, str]] = []
"""Name, broken class, the kernel operation it is like, the layer that must catch it."""


def breaks(layer: str, like: str) -> Any:
    """Add a class to the table."""

    def keep(cls: type[Operation]) -> type[Operation]:
        made = attrs.frozen(cls)
        TABLE.append((cls.__name__, made, like, layer))
        return made

    return keep


# ----------------------------------------------------------------------------------------- transforms


@breaks("rowwise", "clip_box")
class MixesRows(ClipBox):
    """Centres on the batch before clipping."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        with np.errstate(all="ignore"):
            middle = np.nan_to_num(np.clip(batch.values, -1e6, 1e6)).sum(axis=0) / max(len(batch.live), 1)
            moved = np.where(batch.live[:, None], batch.values - middle, 0.0)
        return super().apply(attrs.evolve(batch, values=np.clip(moved, -1e308, 1e308)), *params)


@breaks("rowwise", "clip_box")
class KnowsItsPlace(ClipBox):
    """The first rows of a table count double."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        return attrs.evolve(out, values=np.where(batch.index[:, None] < 100, out.values, 0.0))


@breaks("rowwise", "clip_box")
class KnowsItsChunk(ClipBox):
    """Long batches are treated in another way."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        return attrs.evolve(out, values=out.values if len(batch.live) > 2 else np.trunc(out.values / 2))


@breaks("rowwise", "clip_box")
class Dithers(ClipBox):
    """Rounds at random."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        coin = np.random.default_rng().integers(0, 2, out.values.shape)
        return attrs.evolve(out, values=np.where(batch.live[:, None], np.trunc(out.values / 2) + coin, 0.0))


@breaks("domain", "clip_ball")
class ForgetsToClip(ClipBall):
    """Scales to the ball's frame, and leaves far rows where they are."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        with np.errstate(all="ignore"):
            scaled = (batch.values / params[0].radius - params[0].centre / params[0].radius) * 2.0**self.bits
        values = np.where(batch.live[:, None], np.trunc(np.clip(np.nan_to_num(scaled), -1e300, 1e300)), 0.0)
        return attrs.evolve(batch, values=values, bits=self.bits)


@breaks("domain", "clip_box")
class RevivesMissingRows(ClipBox):
    """Takes a missing row for a row of zeros."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        return super().apply(attrs.evolve(batch, live=np.ones_like(batch.live)), *params)


@breaks("domain", "clip_box")
class DropsMissingRows(ClipBox):
    """Filters before it maps, so that what is paired by place afterwards shifts."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        return (
            super().apply(batch.subset(batch.live), *params) if len(batch.live) > 1 else super().apply(batch, *params)
        )


@breaks("domain", "clip_box")
class LosesTheIndex(ClipBox):
    """Makes a batch of its own, without the rows' places."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        return Batch(out.start, out.values, out.live, out.bits)


@breaks("totality", "clip_box")
class RaisesOnFarRows(ClipBox):
    """Complains about a row."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        if np.abs(batch.values).max(initial=0.0) > 1e200:
            raise ValueError("a row is too far away")
        return super().apply(batch, *params)


@breaks("totality", "clip_box")
class RaisesOnNoRows(ClipBox):
    """Takes the largest of nothing."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        batch.values.max(axis=0)
        return super().apply(batch, *params)


@breaks("totality", "clip_box")
class WarnsOnOverflow(ClipBox):
    """Squares whatever it gets."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        _ = batch.values * batch.values
        return super().apply(batch, *params)


@breaks("purity", "clip_box")
class WritesIntoItsInput(ClipBox):
    """Uses the batch as scratch."""

    def apply(self, batch: Batch, *params: Any) -> Batch:
        out = super().apply(batch, *params)
        batch.values[...] = 0.0
        return out


# ----------------------------------------------------------------------------------------- statistics


@breaks("sensitivity", "sum")
class CitesTheGramTheorem(Sum):
    """A sum at the price of a Gram matrix.

    Formal guarantees
    -----------------
    Sensitivity: wrongly √2 (``bounded_gram``).
    """

    theorem: ClassVar[str] = "bounded_gram"


@breaks("sensitivity", "sum")
class ForgetsTheFactorForReplaceOne(Sum):
    """A sum whose sensitivity is that of one row more.

    Formal guarantees
    -----------------
    Sensitivity: wrongly max(removed, added) (``one_row_more``).
    """

    theorem: ClassVar[str] = "one_row_more"


@breaks("sensitivity", "count")
class SumsWhatItGets(Count):
    """Adds up a column that nothing has bounded."""

    def start(self, domain: Domain, *params: Any) -> Any:
        return Total()

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        numbers = batch.values if batch.weights is None else batch.values[0]
        fold.value += sum(round(min(max(float(x), -1e9), 1e9)) for x in numbers[:, 0])


@breaks("sensitivity", "bin_counts")
class CountsARowTwice(BinCounts):
    """Adds the row to the next bin, too."""

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        super().update(fold, batch, *params)
        fold.update(np.where(batch.live, self.bins(batch.values[:, self.column]) + 1, -1))


@breaks("domain", "count")
class LatticeFollowsTheRows(Count):
    """Divides by the number of rows it saw."""

    def value(self, fold: Any) -> Exact:
        return Exact(np.array([fold.value], dtype=np.int64), Fraction(1, max(fold.value, 1)))


@breaks("domain", "count")
class SaysMoreThanDeclared(Count):
    """Returns the count twice."""

    def value(self, fold: Any) -> Exact:
        return Exact(np.array([fold.value] * 2, dtype=np.int64))


@breaks("totality", "count")
class ReturnsFloats(Count):
    """Leaves the integers."""

    def value(self, fold: Any) -> Exact:
        return Exact(np.array([float(fold.value)]))


@breaks("order", "count")
class CountsEmptyRows(Count):
    """Counts a missing row."""

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        fold.update(np.ones_like(batch.live))


@breaks("order", "count")
class CountsChunks(Count):
    """Counts batches, not rows."""

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        fold.update(batch.live[:1])


@attrs.define
class Total:
    """A number that adds."""

    value: int = 0

    def merge(self, other: Total) -> None:
        self.value += other.value


KEPT = Total()


@breaks("purity", "count")
class KeepsStateBetweenCalls(Count):
    """Its fold is the same every time."""

    def start(self, domain: Domain, *params: Any) -> Any:
        return KEPT

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        fold.value += int(np.count_nonzero(batch.live))


@breaks("purity", "count")
class MarksRowsAsSeen(Count):
    """Writes into the batch."""

    def update(self, fold: Any, batch: Batch, *params: Any) -> None:
        super().update(fold, batch, *params)
        batch.live[...] = False


# -------------------------------------------------------------------- partitions, gathers and queries


@breaks("partition", "filter_ball")
class SplitsAtTheMedian(FilterBall):
    """Half of the batch in each part."""

    def assign(self, batch: Batch, n: int | None, *params: Any) -> Any:
        order = np.argsort(batch.values[:, 0], kind="stable")
        part = np.zeros(len(order), dtype=np.int64)
        part[order[len(order) // 2 :]] = 1
        return part


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


@breaks("registration", "filter_ball")
class AllotsByTheWrongRule(FilterBall):
    """Rows by rule, priced as if by index."""

    rule: ClassVar[str] = "by_index"


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
        flat, live = groups.values.reshape(-1, d), groups.live.ravel()
        order = np.argsort(~live, kind="stable")
        moved = attrs.evolve(
            groups, values=flat[order].reshape(groups.values.shape), live=live[order].reshape(groups.live.shape)
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


# -------------------------------------------------------------------------------- mechanisms and posts


@breaks("loss", "gaussian")
class CheaperWhenFar(GaussianMechanism):
    """Charges the inverse of the distance."""

    def loss(self, calibration: Any, metrics: Any, domain: Domain) -> Any:
        return super().loss(calibration, tuple(type(m)(1.0 / max(m.bound, 0.1)) for m in metrics), domain)


@breaks("loss", "gaussian")
class ChargesHalf(GaussianMechanism):
    """Charges for half of the distance."""

    def loss(self, calibration: Any, metrics: Any, domain: Domain) -> Any:
        return super().loss(calibration, tuple(type(m)(m.bound / 2) for m in metrics), domain)


@breaks("noise", "gaussian")
class DrawsElsewhere(GaussianMechanism):
    """Noise from NumPy instead of the source."""

    def release(self, exact: Exact, calibration: Any, domain: Domain, source: Any) -> Any:
        array = np.asarray(exact.integers).astype(np.float64) * float(exact.step)
        noise = np.random.default_rng().standard_normal(array.shape)
        out = array + calibration["sigma"] * noise
        return (out + np.swapaxes(out, -1, -2)) / 2 if out.ndim >= 2 and type(domain).__name__ == "Symmetric" else out


@breaks("noise", "gaussian")
class ForgetsTheNoise(GaussianMechanism):
    """Releases the exact value."""

    def release(self, exact: Exact, calibration: Any, domain: Domain, source: Any) -> Any:
        return np.asarray(exact.integers).astype(np.float64) * float(exact.step)


@breaks("domain", "gaussian")
class ReleasesAColumn(GaussianMechanism):
    """One more axis than declared."""

    def release(self, exact: Exact, calibration: Any, domain: Domain, source: Any) -> Any:
        return np.asarray(super().release(exact, calibration, domain, source))[..., None]


@attrs.frozen
class Halve(Post):
    """Half of some released counts."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("counts", PARAM),)

    def output(self, *inputs: Domain) -> Domain:
        """A vector."""
        return Vector(wants(inputs[0], Counts, "halve").m)

    def apply(self, *values: Any) -> Any:
        """Halve."""
        return np.asarray(values[0]) / 2


@breaks("purity", "")
class Jitters(Halve):
    """Breaks ties at random."""

    def apply(self, *values: Any) -> Any:
        return super().apply(*values) + np.random.default_rng().random()


@breaks("purity", "")
class SortsInPlace(Halve):
    """Reverses its input."""

    def apply(self, *values: Any) -> Any:
        values[0][...] = values[0][::-1] + 1
        return super().apply(*values)


SEEN: list[Any] = []


@breaks("purity", "")
class RemembersTheLast(Halve):
    """Adds how often it was called."""

    def apply(self, *values: Any) -> Any:
        SEEN.append(1)
        return super().apply(*values) + len(SEEN)


@breaks("totality", "")
class DividesByTheCount(Halve):
    """Divides by a released number, which may be 0."""

    def apply(self, *values: Any) -> Any:
        return np.asarray(values[0]) / np.asarray(values[0])[0]


@breaks("domain", "")
class LosesOne(Halve):
    """Returns one number less."""

    def apply(self, *values: Any) -> Any:
        return super().apply(*values)[:-1]


@breaks("domain", "")
class GivesNoAdvice(Halve):
    """Fails without a word."""

    def apply(self, *values: Any) -> Any:
        return Failed("no answer", "")


# ---------------------------------------------------------------------------------------- declarations


@breaks("docstring", "count")
class SaysNothing(Count):
    __doc__ = ""


@breaks("docstring", "count")
class GuaranteesNothing(Count):
    """Counts rows."""

    theorem: ClassVar[str] = "bounded_squares"


@breaks("shapes", "")
class TrustsItsInput(Halve):
    """Never looks what it gets."""

    def output(self, *inputs: Domain) -> Domain:
        return Vector(inputs[0].m)  # type: ignore[attr-defined]


@breaks("shapes", "")
class RefusesWithoutAdvice(Halve):
    """Says no, and not what to do."""

    def output(self, *inputs: Domain) -> Domain:
        if not isinstance(inputs[0], Counts):
            raise PlanError("no")
        return Vector(inputs[0].m)


@breaks("roundtrip", "")
class KeepsAFunction(Halve):
    """A parameter that is no JSON."""

    how: Any = attrs.field(default=len, kw_only=True)


@breaks("registration", "")
class OwnStatistic(Count):
    """A plugin's own statistic, on a theorem it may not cite."""


@breaks("registration", "count")
class CitesNothing(Count):
    """Cites what nobody proved.

    Formal guarantees
    -----------------
    Sensitivity: by ``common_sense``.
    """

    theorem: ClassVar[str] = "common_sense"


@breaks("case", "")
class TakesNothingKnown(Halve):
    """Takes rows where it can never get them."""

    def output(self, *inputs: Domain) -> Domain:
        return wants(inputs[0], Rows, "nothing")  # type: ignore[no-any-return]


TWINS: dict[str, type[Operation]] = {
    "clip_box": ClipBox,
    "clip_ball": ClipBall,
    "sum": Sum,
    "box_sum": BoxSum,
    "count": Count,
    "bin_counts": BinCounts,
    "filter_ball": FilterBall,
    "split": Split,
    "pairs": Pairs,
    "cap": Cap,
    "block_counts": BlockCounts,
    "gaussian": GaussianMechanism,
    "": Halve,
}
"""What each broken operation is a twin of."""
