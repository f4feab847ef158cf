"""Operations that break what they declare: the real ones with one method replaced, for `dpframe check` to refute."""

from __future__ import annotations

import functools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import attrs
import numpy as np

from dpframe.kernel import registry
from dpframe.kernel.families.block_candidates import BlockCounts
from dpframe.kernel.families.block_models import Agreement, SelectBlock
from dpframe.kernel.mechanisms.gaussian import GaussianMechanism
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.mechanisms.stable_histogram import StableHistogram
from dpframe.kernel.operations import Batch, Exact, Operation, lattice_step
from dpframe.kernel.posts.frames import MeanOfBall
from dpframe.kernel.queries.scores import Minimum, _Extremum
from dpframe.kernel.statistics.cells import CellCounts
from dpframe.kernel.statistics.count import Count
from dpframe.kernel.statistics.gram import Gram
from dpframe.kernel.statistics.sums import BoxSum, Mean, Sum
from dpframe.kernel.transforms.affine import Affine
from dpframe.kernel.transforms.clip_ball import ClipBall
from dpframe.kernel.transforms.clip_box import ClipBox
from dpframe.kernel.transforms.pairs import Pairs
from dpframe.kernel.transforms.partition import FilterBall, Split
from dpframe.proof.losses import Loss
from dpframe.proof.spaces import Blocks, Domain, Flag, Vector
from dpframe.testing import Case, Report, check_operation
from tests.mutants.base import table

Class = type[Operation]


def broken(cls: Class, **methods: Any) -> Callable[[], Report]:
    """What the battery says of a class with some methods replaced, under the real one's name."""
    return functools.partial(_checked, cls, methods)


def examples_of(cls: Class) -> list[Any] | None:
    """Where the parameters that the battery finds by itself leave a fault no room."""
    if cls is not SelectBlock:
        return None
    blocks = Blocks(5, Vector(2))
    return [Case(SelectBlock(r=1.0, d=2, theta=0.61, test_threshold=0.65, bits=12), (blocks, Flag()))]


def _checked(cls: Class, methods: dict[str, Any]) -> Report:
    twin = attrs.frozen(type(cls.__name__, (cls,), {"__doc__": cls.__doc__, "__module__": __name__, **methods}))
    registry.operations()
    kept = registry._operations[cls.name]
    registry._operations[cls.name] = twin
    try:
        return check_operation(twin, cases=_as(twin, examples_of(cls)))
    finally:
        registry._operations[cls.name] = kept


def _as(twin: Class, cases: list[Case] | None) -> list[Case] | None:
    """The same parameters for the twin."""
    if cases is None:
        return None
    return [attrs.evolve(c, operation=twin(**c.operation.parameters())) for c in cases]


@functools.cache
def sound(cls: Class) -> Report:
    """What the battery says of the real one."""
    return check_operation(cls, cases=examples_of(cls))


def caught(make: Callable[[], Report]) -> str:
    """The layers that refute it."""
    return ", ".join(dict.fromkeys(f.layer for f in make().failures))


# ------------------------------------------------------------------------------------------ rows


def centred_by_the_batch(self: Any, batch: Batch, *params: Any) -> Batch:
    middle = np.clip(batch.values, -5, 5).sum(axis=0) / max(len(batch.values), 1)
    return ClipBall.apply(self, attrs.evolve(batch, values=np.clip(batch.values, -5, 5) - middle), *params)


def shifted_by_a_neighbour(self: Any, batch: Batch, *params: Any) -> Batch:
    image = Affine.apply(self, batch, *params)
    return attrs.evolve(image, values=np.where(image.valid[:, None], np.cumsum(image.values, axis=0) * 0.5, 0.0))


def scaled_by_its_own_extremes(self: Any, batch: Batch, *params: Any) -> Batch:
    image = ClipBox.apply(self, batch, *params)
    top = np.abs(image.values).max(initial=1.0)
    return attrs.evolve(image, values=np.trunc(image.values * (2.0**image.bits / top)))


def rounded_to_nearest(self: Any, batch: Batch, *params: Any) -> Batch:
    image = ClipBall.apply(self, batch, *params)
    fine = ClipBall(bits=26).apply(batch, *params)
    return attrs.evolve(image, values=np.rint(np.ldexp(fine.values, self.bits - 26)))


def never_clipped(self: Any, batch: Batch, *params: Any) -> Batch:
    """A bounded region is declared and not enforced."""
    near = np.trunc(np.clip(batch.values - params[0].centre, -1e6, 1e6) / params[0].radius * 2.0**self.bits)
    return attrs.evolve(batch, values=np.where(batch.valid[:, None], near, 0.0), bits=self.bits)


def nan_kept(self: Any, batch: Batch, *params: Any) -> Batch:
    image = Affine.apply(self, batch, *params)
    odd = np.abs(batch.values).max(axis=1, initial=0.0) > 1e6
    return attrs.evolve(image, values=np.where(odd[:, None], np.nan, image.values))


def empty_rows_revived(self: Any, batch: Batch, *params: Any) -> Batch:
    image = ClipBall.apply(self, batch, *params)
    return attrs.evolve(image, valid=np.ones_like(image.valid))


def raises_on_a_row(self: Any, batch: Batch, *params: Any) -> Batch:
    if (np.abs(batch.values) > 1e100).any():
        raise ValueError("a row is too large")
    return ClipBall.apply(self, batch, *params)


def cut_at_the_median(self: Any, batch: Batch, n: int | None, *params: Any) -> Any:
    norms = np.abs(batch.values).max(axis=1, initial=0.0)
    return np.where(norms <= np.median(norms), 0, 1) if len(norms) else np.zeros(0, dtype=np.int64)


def cut_by_what_rows_hold(self: Any, batch: Batch, n: int | None, *params: Any) -> Any:
    """A cut that claims to go by index, of valid rows only: one empty row moves all that follow."""
    return (np.cumsum(batch.valid) - 1) % self.count


def sliding_pairs(self: Any, n: int, source: Any) -> Any:
    return np.stack([np.arange(n - 1), np.arange(1, n)], axis=1) if n > 1 else np.zeros((0, 2), dtype=np.int64)


# ------------------------------------------------------------------------------------ statistics


def times_hundred(self: Any, fold: Any) -> Exact:
    return Exact(np.array([100 * fold.value], dtype=np.int64))


def one_dimension_claimed(self: Any, *inputs: Domain) -> dict[str, Any]:
    return {**self.parameters(), "d": 1}


def fewer_histograms_claimed(self: Any, *inputs: Domain) -> dict[str, Any]:
    return {**self.parameters(), "histograms": 1}


def about_zero(self: Any, fold: Any) -> Exact:
    """The literal Σx of C2: rows a distance of 3 radii from where they are summed."""
    exact = Mean.value(self, fold)
    shifted = np.asarray(exact.integers).copy()
    shifted[:-1] += 3 * shifted[-1]
    return Exact(shifted, exact.step)


def rows_about_zero(self: Any, fold: Any, batch: Batch, *params: Any) -> None:
    """The literal XᵀX of C4: rows a distance of 3 radii from where they are multiplied."""
    from dpframe.kernel.statistics.sums import on_lattice

    fold.total += _gram(on_lattice(batch, self.bits) + 3 * 2.0**self.bits * batch.valid[:, None])


@attrs.define
class Plain:
    """A matrix of Python integers."""

    total: Any

    def merge(self, other: Plain) -> None:
        self.total = self.total + other.total


def plain_fold(self: Any, domain: Domain, *params: Any) -> Plain:
    return Plain(np.zeros((domain.d, domain.d), dtype=object))  # type: ignore[attr-defined]


def plain_value(self: Any, fold: Plain) -> Exact:
    return Exact(fold.total, lattice_step(2 * self.bits))


def _gram(rows: Any) -> Any:
    whole = np.array([[int(x) for x in row] for row in rows], dtype=object).reshape(rows.shape)
    return whole.T @ whole


def by_place(self: Any, fold: Any, batch: Batch, *params: Any) -> None:
    """Later rows count less: what a row gives depends on its place."""
    fold.update(batch.valid & (batch.index % 2 == 0))


def batch_by_batch(self: Any, fold: Any, batch: Batch, *params: Any) -> None:
    """Each batch counts at most 2."""
    fold.update(np.arange(len(batch.valid)) < min(2, int(batch.valid.sum())))


def lattice_of_the_rows(self: Any, fold: Any) -> Exact:
    """A step as fine as the rows allow: floating-point sums."""
    exact = Sum.value(self, fold)
    top = max((abs(int(v)) for v in exact.integers), default=0)
    step = exact.step * 2 ** max(top.bit_length() - 4, 0)
    return Exact(np.array([int(v * exact.step / step) for v in exact.integers.astype(object)], dtype=object), step)


def one_step_more(self: Any, fold: Any) -> Exact:
    exact = Count.value(self, fold)
    return Exact(exact.integers * 2 - 1, exact.step)


# ---------------------------------------------------------------------------------------- queries


def candidates_counted(self: Any, *values: Any) -> Exact:
    """The literal counts of C12: candidates, of which one row changes all k of its block."""
    blocks, balls = values
    all_points, valid = self._points(blocks)
    counts = np.zeros(self.size, dtype=np.int64)
    for i, ball in enumerate(balls[: self.size]):
        counts[i] = np.count_nonzero(self._inside(all_points, valid, ball))
    return Exact(counts)


def agreement_of_blocks(self: Any, *values: Any) -> Exact:
    """The share of blocks in the largest neighbourhood, times 4: sensitivity 4/t."""
    near = self._near(values[0])
    return Exact(np.array([4 * int(near.max(initial=0))], dtype=np.int64), Fraction(1, max(len(near), 1)))


def nearest_to_the_first(self: Any, *values: Any) -> Exact:
    """The first block, whether most agree with it or not."""
    step = Fraction(self.r) / 2**self.bits
    found = next((b[0] for b in values[0].integers if b is not None), np.zeros(self.d))
    return Exact(np.array([round(Fraction(float(x)) / step) for x in found], dtype=object), step)


def second_least(self: Any, *values: Any) -> Exact:
    least = _Extremum.evaluate(self, *values)
    return Exact(least.integers * 2, least.step)


# ------------------------------------------------------------------------- mechanisms and posts


def own_noise(self: Any, exact: Exact, calibration: Any, domain: Domain, source: Any) -> Any:
    """A generator of its own, whatever the source."""
    from dpframe.kernel.noise import SecureSource

    return LaplaceMechanism.release(self, exact, calibration, domain, SecureSource())


def one_seed_for_all(self: Any, exact: Exact, calibration: Any, domain: Domain, source: Any) -> Any:
    """A seed of its own: the noise is the same in every run."""
    from dpframe.kernel.noise import SeededSource

    return LaplaceMechanism.release(self, exact, calibration, domain, SeededSource(0))


def half_the_loss(self: Any, calibration: Any, metrics: Any, domain: Domain) -> Loss:
    return GaussianMechanism.loss(self, {**calibration, "sigma": 2 * calibration["sigma"]}, metrics, domain)


def loss_of_one_edit(self: Any, calibration: Any, metrics: Any, domain: Domain) -> Loss:
    """Whatever the distance, the price of 1 over the noise, so that distance is free."""
    from dpframe.proof.losses import Gaussian

    return Loss.of(Gaussian(1.0 / (calibration["sigma"] * max(m.bound for m in metrics))))


def forgotten_delta(self: Any, calibration: Any, metrics: Any, domain: Domain) -> Loss:
    return attrs.evolve(StableHistogram.loss(self, calibration, metrics, domain), delta=0.0)


SEEN: list[float] = []


def remembers(self: Any, *values: Any) -> Any:
    """A mean that drifts with every call."""
    SEEN.append(1.0)
    ball = values[1]
    return ball.centre + ball.radius / (1.0 + len(SEEN))


def overwrites(self: Any, *values: Any) -> Any:
    values[0][...] = 0.0
    return values[1].centre.copy()


def divides_by_the_count(self: Any, *values: Any) -> Any:
    """No floor under a noisy count: a negative one turns the mean around, and nothing holds it in its ball."""
    released, ball = values
    with np.errstate(all="ignore"):
        return ball.centre + ball.radius * np.asarray(released[:-1]) / np.sqrt(np.asarray(released[-1:]))


ROWS: list[tuple[Any, ...]] = [
    ("mixes-rows", "a row function that centres by its batch", "rowwise", ClipBall, {"apply": centred_by_the_batch}),
    ("cumulative", "a row's image holds the rows before it", "rowwise", Affine, {"apply": shifted_by_a_neighbour}),
    ("min-max", "rows scaled by the largest of them", "rowwise", ClipBox, {"apply": scaled_by_its_own_extremes}),
    ("nearest", "a clip rounded to nearest leaves the ball", "domain", ClipBall, {"apply": rounded_to_nearest}),
    ("no-clip", "a bound that is declared and never enforced", "domain", ClipBall, {"apply": never_clipped}),
    ("nan", "NaN in a domain without NaN", "domain", Affine, {"apply": nan_kept}),
    ("revived", "empty rows count as rows", "domain", ClipBall, {"apply": empty_rows_revived}),
    ("raises", "a leak through an exception", "totality", ClipBall, {"apply": raises_on_a_row}),
    ("median-cut", "parts cut at the rows' own median", "partition", FilterBall, {"assign": cut_at_the_median}),
    ("live-index", "blocks cut after empty rows are dropped", "partition", Split, {"assign": cut_by_what_rows_hold}),
    ("sliding-pairs", "each row in two pairs", "grouping", Pairs, {"indices": sliding_pairs}),
    ("claims-1-has-100", "sensitivity 1 claimed, 100 real", "sensitivity", Count, {"value": times_hundred}),
    (
        "d-forgotten",
        "a sum over a box claims one dimension",
        "sensitivity",
        BoxSum,
        {"theorem_inputs": one_dimension_claimed},
    ),
    ("m-forgotten", "m histograms claim one", "sensitivity", CellCounts, {"theorem_inputs": fewer_histograms_claimed}),
    ("C2-statistic", "Σx at the price of Σ(x − c)", "sensitivity", Mean, {"value": about_zero}),
    (
        "C4-statistic",
        "XᵀX at the price of a centred Gram matrix",
        "sensitivity",
        Gram,
        {"start": plain_fold, "update": rows_about_zero, "value": plain_value},
    ),
    ("by-place", "only rows at even places count", "order", Count, {"update": by_place}),
    ("by-batch", "what a row gives depends on its batch", "order", Count, {"update": batch_by_batch}),
    ("own-lattice", "a lattice made from the rows", "sensitivity", Sum, {"value": lattice_of_the_rows}),
    ("C12-query", "candidates counted, not blocks", "sensitivity", BlockCounts, {"evaluate": candidates_counted}),
    ("agreement", "the largest neighbourhood at 2/t", "sensitivity", Agreement, {"evaluate": agreement_of_blocks}),
    ("first-block", "the first block, whoever agrees", "sensitivity", SelectBlock, {"evaluate": nearest_to_the_first}),
    ("doubled-minimum", "twice the least score", "sensitivity", Minimum, {"evaluate": second_least}),
    ("own-noise", "noise from elsewhere than the source", "noise", LaplaceMechanism, {"release": own_noise}),
    ("one-seed", "one seed for every run", "noise", LaplaceMechanism, {"release": one_seed_for_all}),
    ("half-charged", "half the loss is charged", "loss", GaussianMechanism, {"loss": half_the_loss}),
    ("distance-free", "the loss falls with the distance", "loss", GaussianMechanism, {"loss": loss_of_one_edit}),
    ("post-memory", "a post that keeps state between calls", "purity", MeanOfBall, {"apply": remembers}),
    ("post-overwrites", "a post that changes its inputs", "purity", MeanOfBall, {"apply": overwrites}),
    ("post-infinite", "a post that leaves its domain", "domain", MeanOfBall, {"apply": divides_by_the_count}),
    ("delta-uncharged", "the δ of the thresholds is not charged", "loss", StableHistogram, {"loss": forgotten_delta}),
]

SOURCES = {
    "claims-1-has-100": "OpenDP, user transformation",
    "no-clip": "OpenDP, domain never checked",
    "nan": "no-NaN domain",
    "d-forgotten": "diffprivlib #104",
    "C2-statistic": "C2",
    "C4-statistic": "C4",
    "C12-query": "C12",
}

MUTANTS = table(
    "contract",
    *(
        (name, fault, layer, broken(cls, **methods), functools.partial(sound, cls), SOURCES.get(name, "issue"))
        for name, fault, layer, cls, methods in ROWS
    ),
)
