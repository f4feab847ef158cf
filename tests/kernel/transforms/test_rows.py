"""Row transforms and partitions treat each row alike, to the last bit, whatever stands beside it."""

from __future__ import annotations

import asyncio
import itertools
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import attrs
import numpy as np
import pytest
from scipy.special import logsumexp

import dpframe as dp
from dpframe.kernel import foreign
from dpframe.kernel.families.log_densities import LogDensities
from dpframe.kernel.families.weighted import WeightedSquares
from dpframe.kernel.families.whiten import Whiten, whitened
from dpframe.kernel.operations import Batch, Partition, Transform
from dpframe.kernel.silence import silent
from dpframe.kernel.transforms import row_map
from dpframe.kernel.transforms.affine import Affine
from dpframe.kernel.transforms.clip_ball import ClipBall
from dpframe.kernel.transforms.clip_box import ClipBox
from dpframe.kernel.transforms.partition import (
    FilterBall,
    PartitionBalls,
    PartitionHalfspace,
    PartitionNearest,
    SecretSplit,
    Split,
    Subsample,
)
from dpframe.kernel.transforms.project import Project
from dpframe.kernel.transforms.rescale import Rescale
from dpframe.kernel.transforms.within import Within
from dpframe.proof.spaces import (
    AffineMap,
    AffineValue,
    Array,
    Ball,
    BallValue,
    ListOf,
    Rows,
    Subspace,
    Vector,
    WeightedRows,
    Whitening,
    WhiteningValue,
)

D, M = 7, 101
BALL = BallValue(np.linspace(-1, 1, D), 3.0)
BASIS = np.linalg.qr(np.random.default_rng(0).standard_normal((D, 3)))[0]
MAP = AffineValue(BALL.centre, np.random.default_rng(1).standard_normal((D, 4)), 50.0)
LINE = AffineValue(BALL.centre, np.ones((D, 1)), 50.0)
SEEN = WhiteningValue(
    tuple(AffineValue(np.full(D, float(j)), np.eye(D) * (1 + j), 100.0) for j in range(3)), np.zeros(3), 2.0, 1.0
)
FULL = attrs.evolve(SEEN, maps=tuple(attrs.evolve(m, matrix=m.matrix + 0.1 * np.tri(D)) for m in SEEN.maps))
NEAR = attrs.evolve(FULL, maps=tuple(attrs.evolve(m, scale=8.0) for m in FULL.maps))
OTHER = attrs.evolve(SEEN, log_weights=np.array([0.5, -1.0, -1e6]), maps=SEEN.maps[::-1])

TRANSFORMS = [
    (ClipBall(bits=20), (BALL,)),
    (ClipBox(bits=20), (BALL,)),
    (Affine(), (MAP,)),
    (Project(), (BASIS, BALL)),
    (Rescale(), (np.array([3.0, -2.0, 0.0, 40.0, -40.0, 1.0, 0.0]),)),
    (Within(), (BALL,)),
    (Within(), (BallValue(np.zeros(D), 2.5),)),
    (Whiten(bits=18), (SEEN,)),
    (Whiten(bits=18), (FULL,)),
    (Whiten(bits=18), (NEAR,)),
    (LogDensities(), (SEEN, FULL)),
    (LogDensities(), (SEEN, OTHER)),
]
PARTITIONS = [
    (FilterBall(), (BALL,)),
    (PartitionBalls(balls=3), ([BALL, BallValue(np.zeros(D), 2.0)],)),
    (PartitionNearest(centres=3), (np.random.default_rng(2).standard_normal((3, D)),)),
    (PartitionHalfspace(), (LINE,)),
    (Split(count=4, seed=2), ()),
    (Split(count=3, seed=2, weights=(5, 1, 2)), ()),
]


def rows(rng: np.random.Generator) -> Batch:
    values = rng.standard_normal((M, D)) * 10.0 ** rng.integers(-3, 4, (M, 1))
    values[0], values[1] = 1e308, -1e308
    valid = rng.random(M) > 0.1
    values[~valid] = 0.0
    return Batch(0, values, valid)


def images(operation: Transform | Partition, params: Any, batch: Batch) -> np.ndarray[Any, Any]:
    """One row of bits a row of the batch."""
    if isinstance(operation, Partition):
        return np.asarray(operation.assign(batch, M, *params)).reshape(len(batch.valid), 1)
    made = operation.apply(batch, *params)
    if made.weights is not None:  # components come first
        wide = np.moveaxis(made.values, 0, 1).reshape(len(batch.valid), -1)
        return np.concatenate([wide, made.weights], axis=1)
    return made.values


def pieces(batch: Batch, cuts: list[int]) -> list[Batch]:
    ends = [0, *cuts, len(batch.valid)]
    return [batch.subset(np.isin(np.arange(len(batch.valid)), np.arange(a, b))) for a, b in itertools.pairwise(ends)]


@pytest.mark.parametrize(("operation", "params"), TRANSFORMS + PARTITIONS, ids=lambda v: getattr(v, "name", ""))
def test_a_row_does_not_see_its_neighbours(operation: Any, params: Any, rng: np.random.Generator) -> None:
    batch = rows(rng)
    whole = images(operation, params, batch)
    for cuts in ([1], [50], [3, 4, 60], list(range(1, M))):
        parts = np.concatenate([images(operation, params, p) for p in pieces(batch, cuts) if len(p.valid)])
        assert np.array_equal(parts, whole)
    order = rng.permutation(M)
    shuffled = Batch(0, batch.values[order], batch.valid[order], rows=batch.index[order])
    assert np.array_equal(images(operation, params, shuffled), whole[order])
    other = batch.values.copy()
    other[::2] = -other[::2] / 3
    mixed = Batch(0, np.asfortranarray(other), batch.valid)
    assert np.array_equal(images(operation, params, mixed)[1::2], whole[1::2])


@pytest.mark.parametrize("kind", [ValueError, SystemExit, asyncio.CancelledError, GeneratorExit])
def test_a_row_whose_map_raises_is_empty_whatever_is_raised(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some exceptions are no ``Exception``: with them a row once decided the exit code."""

    def picky(values: Any) -> Any:
        if values.max() > 5:
            raise kind
        return values

    monkeypatch.setattr(row_map, "find_row_function", lambda name: picky)
    made = row_map.RowMap(function="picky", p=1).apply(
        Batch(0, np.array([[1.0], [9.0], [2.0]]), np.ones(3, dtype=bool))
    )
    assert made.valid.tolist() == [True, False, True]
    assert made.values.tolist() == [[1.0], [0.0], [2.0]]


def test_what_a_row_map_warns_of_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def talkative(values: Any) -> Any:
        if values.max() > 5.0:
            warnings.warn("a row is large", stacklevel=1)
        return values

    monkeypatch.setattr(row_map, "find_row_function", lambda name: talkative)
    batch = Batch(0, np.array([[1.0], [9.0]]), np.ones(2, dtype=bool))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert row_map.RowMap(function="talkative", p=1).apply(batch).values.tolist() == [[1.0], [9.0]]
    with pytest.warns(UserWarning, match="large"):  # the twin: what it is without
        talkative(batch.values)


@contextmanager
def alone() -> Iterator[None]:
    """The broken twin: each call is silenced by itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("around", [silent, alone])
def test_nor_by_one_of_two_threads(around: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second call begins within the first and warns after it."""
    monkeypatch.setattr(foreign, "silent", around)
    begun, inside, left = (threading.Event() for _ in range(3))

    def talkative(values: Any) -> Any:
        if values.max() > 5.0:
            inside.set()
            left.wait()
            warnings.warn("a row is large", stacklevel=1)
        else:
            begun.set()
            inside.wait()
        return values

    monkeypatch.setattr(row_map, "find_row_function", lambda name: talkative)
    operation = row_map.RowMap(function="talkative", p=1)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        first, second = (
            threading.Thread(target=operation.apply, args=(Batch(0, np.array([[x]]), np.ones(1, dtype=bool)),))
            for x in (1.0, 9.0)
        )
        first.start()
        begun.wait()
        second.start()
        first.join()
        left.set()
        second.join()
    assert bool(said) is (around is alone)


def test_a_row_map_that_sees_its_neighbours_is_caught(rng: np.random.Generator) -> None:
    """The broken twin: centring by the batch's mean."""

    class Centred(ClipBall):
        def apply(self, batch: Batch, *params: Any) -> Batch:
            return super().apply(Batch(0, batch.values - batch.values.mean(axis=0), batch.valid), *params)

    batch = rows(rng)
    batch = Batch(0, np.clip(batch.values, -5, 5), batch.valid)
    whole = images(Centred(bits=20), (BALL,), batch)
    parts = np.concatenate([images(Centred(bits=20), (BALL,), p) for p in pieces(batch, [50])])
    assert not np.array_equal(parts, whole)


def test_clips_are_bounded_and_centred(rng: np.random.Generator) -> None:
    batch = rows(rng)
    ball = ClipBall(bits=16).apply(batch, BALL)
    assert (np.square(ball.values).sum(axis=1) <= 4.0**16).all()
    box = ClipBox(bits=16).apply(batch, BALL)
    assert np.abs(box.values).max() <= 2.0**16
    at_centre = Batch(0, BALL.centre[None].copy(), np.array([True]))
    assert not ClipBall(bits=16).apply(at_centre, BALL).values.any()


def test_projection_is_about_the_centre_of_the_ball(rng: np.random.Generator) -> None:
    values = BALL.centre + rng.standard_normal((20, D))
    image = Project().apply(Batch(0, values, np.ones(20, dtype=np.bool_)), BASIS, BallValue(BALL.centre, 100.0)).values
    assert image == pytest.approx((values - BALL.centre) @ BASIS, abs=1e-9)


def test_multiples_of_the_identity_are_seen_as_by_a_product(rng: np.random.Generator) -> None:
    """Two ways to the same numbers: element by element, and one product (which an entry of 1e-30 asks for)."""
    values = rng.standard_normal((50, D)) * 10.0 ** rng.integers(-2, 2, (50, 1))
    batch = Batch(0, values, rng.random(50) > 0.1)
    nearly = attrs.evolve(
        SEEN, maps=tuple(attrs.evolve(m, matrix=m.matrix + 1e-30 * np.eye(D, k=1)) for m in SEEN.maps)
    )
    one, other = (Whiten(bits=18).apply(batch, value) for value in (SEEN, nearly))
    assert np.abs(one.values - other.values).max() <= 1
    assert one.weights is not None
    assert other.weights is not None
    assert np.abs(one.weights - other.weights).max() <= 1


def test_one_limb_is_taken_where_it_errs_by_a_few_steps_at_most(rng: np.random.Generator) -> None:
    """By 2^(−w−1)·E·(√d·a + Σ|entries|): at most .9 steps at scale 8; at 200 of the rows alone 1.7, at 2e3 13."""
    batch = Batch(0, rng.uniform(-4.0, 4.0, (500, D)), rng.random(500) > 0.1)
    step = np.sqrt(SEEN.anchor**2 + SEEN.clip**2) * 2.0**-18
    mid, far = (attrs.evolve(FULL, maps=tuple(attrs.evolve(m, scale=s) for m in FULL.maps)) for s in (200.0, 2000.0))
    for value, same in ((NEAR, False), (mid, False), (far, True)):
        fine, coarse = (np.dstack([z for _, z, _ in whitened(batch, value, error=e)]) for e in (0.0, 8 * step))
        assert np.array_equal(fine, coarse) is same
        assert np.abs(fine - coarse).max() <= (1.7 if value is mid else 0.9) * step
    one, two = (Whiten(bits=18).apply(batch, value) for value in (NEAR, far))
    assert 0 < np.abs(one.values - two.values).max() <= 1 + 0.9


def test_what_is_shared_by_statistics_is_the_same_bits(rng: np.random.Generator) -> None:
    """Of two whitenings through the same maps the images are made once, whatever the clips; none is written over."""
    rows = Batch(0, rng.standard_normal((300, D)) * 3.0, rng.random(300) > 0.1)
    values = (NEAR, attrs.evolve(NEAR, anchor=0.0, clip=9.0), attrs.evolve(NEAR, log_weights=np.array([3.0, 0.0, 0.0])))
    shared = attrs.evolve(rows, shared=True)
    together = [*(Whiten(bits=18).apply(shared, value) for value in values), LogDensities().apply(shared, *values)]
    alone = [*(Whiten(bits=18).apply(rows, value) for value in values), LogDensities().apply(rows, *values)]
    assert len(shared.seen) == 2
    assert not rows.seen
    for one, other in zip(together, alone, strict=True):
        assert np.array_equal(one.values, other.values)
        assert np.array_equal(one.weights, other.weights) if one.weights is not None else other.weights is None
    assert not np.array_equal(together[0].values, together[1].values)
    assert not np.array_equal(together[0].weights, together[2].weights)


def test_weighted_squares_are_those_of_the_seen_rows(rng: np.random.Generator) -> None:
    batch = Batch(0, rng.standard_normal((200, D)) * 3.0, rng.random(200) > 0.1)
    seen = Whiten(bits=18).apply(batch, attrs.evolve(SEEN, anchor=0.0))
    statistic = WeightedSquares(bits=18)
    fold = statistic.start(WeightedRows(3, D + 1))
    statistic.update(fold, seen)
    found = np.asarray(statistic.value(fold).integers, dtype=float) * 2.0**-18
    squares = (seen.values**2).sum(axis=2).T * 4.0**-18
    assert found == pytest.approx((squares * seen.weights * 2.0**-18).sum(axis=0), abs=200 * 2.0**-18)


def test_first_ball_wins() -> None:
    values = np.array([[0.0, 0.0], [0.9, 0.0], [5.0, 0.0]])
    balls = [BallValue(np.zeros(2), 1.0), BallValue(np.array([0.5, 0.0]), 1.0)]
    part = PartitionBalls(balls=4).assign(Batch(0, values, np.ones(3, dtype=np.bool_)), None, balls)
    assert part.tolist() == [0, 0, 4]
    swapped = PartitionBalls(balls=4).assign(Batch(0, values, np.ones(3, dtype=np.bool_)), None, balls[::-1])
    assert swapped.tolist() == [0, 0, 4]
    assert PartitionBalls(balls=2).assign(Batch(0, values, np.ones(3, dtype=np.bool_)), None, []).tolist() == [2, 2, 2]


@pytest.mark.parametrize(("n", "count"), [(100, 2), (101, 3), (7, 10), (1, 1)])
def test_split_makes_equal_parts_and_drops_leftovers(n: int, count: int) -> None:
    part = Split(count=count, seed=1).assign(Batch(0, np.zeros((n, 1)), np.ones(n, dtype=np.bool_)), n)
    sizes = [int((part == i).sum()) for i in range(count)]
    assert len({s for s in sizes if n >= count}) <= 1
    assert sum(sizes) + int((part < 0).sum()) == n
    assert n < 50 or np.abs(np.corrcoef(np.arange(n), part)[0, 1]) < 0.5  # a sorted file is shuffled


def test_secret_labels_and_samples(rng: np.random.Generator) -> None:
    from dpframe.kernel.noise import SeededSource

    labels = SecretSplit(count=4).draw(40_000, SeededSource(1).child("labels"))
    assert np.abs(np.bincount(labels, minlength=4) - 10_000).max() < 5.3 * np.sqrt(40_000 * 0.25 * 0.75)
    sample = Subsample(rate=0.25).draw(40_000, SeededSource(1).child("sample"))
    assert set(sample.tolist()) == {-1, 0}
    assert abs(int((sample == 0).sum()) - 10_000) < 5.3 * np.sqrt(40_000 * 0.25 * 0.75)
    none = Subsample(rate=2.0**-32).draw(1000, SeededSource(1).child("s"))
    assert (none == 0).sum() == 0


@pytest.mark.parametrize("rate", [0.0, -0.1, 1.5, float("nan"), "x", True])
def test_sampling_rates_are_checked(rate: Any) -> None:
    with pytest.raises(dp.PlanError, match="rate must be"):
        Subsample(rate=rate)


# -------------------------------------------------------------------------------------- shapes

CLIPPED = Rows(D, "unit_ball")
SHAPES: list[tuple[Callable[[], Any], str]] = [
    (lambda: ClipBall().output(CLIPPED, Ball(D)), "units of the table"),
    (lambda: ClipBox().output(CLIPPED, Ball(D)), "units of the table"),
    (lambda: Affine().output(CLIPPED, AffineMap(D, 2)), "units of the table"),
    (lambda: Project().output(CLIPPED, Subspace(D, 2), Ball(D)), "units of the table"),
    (lambda: Whiten().output(CLIPPED, Whitening(2, D)), "units of the table"),
    (lambda: Whiten(bits=25).output(Rows(D), Whitening(9, D)), "no room for 9 components"),
    (lambda: FilterBall().output(CLIPPED, Ball(D)), "units of the table"),
    (lambda: Split(count=2).output(CLIPPED), "units of the table"),
    (lambda: Split(count=2, weights=(1,)), "2 whole numbers"),
    (lambda: Split(count=2, weights=(1, 0)), "2 whole numbers"),
    (lambda: Split(count=2, weights=(1, True)), "2 whole numbers"),
    (lambda: Split(count=2, weights=(1, 1.5)), "2 whole numbers"),
    (lambda: ClipBall().output(Rows(D), Ball(D + 1)), "inputs of one dimension"),
    (lambda: Project().output(Rows(D), Subspace(D + 1, 2), Ball(D)), "inputs of one dimension"),
    (lambda: PartitionHalfspace().output(Rows(D), AffineMap(D, 2)), "inputs of one dimension"),
    (lambda: PartitionBalls(balls=2).output(Rows(D), ListOf(Ball(D), 3)), "up to 3 may come"),
    (lambda: PartitionNearest(centres=2).output(Rows(D), Array((3, D))), "takes points of shape"),
    (lambda: ClipBall().output(Ball(D), Ball(D)), "takes Rows"),
    (lambda: Rescale().output(Rows(D), Vector(D + 1)), "inputs of one dimension"),
]


@pytest.mark.parametrize("bits", [0, -3, 27, 60, 2.0, True, "20"])
@pytest.mark.parametrize(
    "name", ["clip_ball", "clip_box", "whiten", "sum", "mean", "box_sum", "gram", "weighted_grams"]
)
def test_lattices_that_are_not_exact_are_refused_before_the_data_is_read(name: str, bits: Any) -> None:
    with pytest.raises(dp.DpframeError, match="bits must be"):
        dp.build(name, {"bits": bits})
    assert dp.build(name, {"bits": 26}).parameters() == {"bits": 26}


def test_rescaling_is_exact_and_never_leaves_float64() -> None:
    rows = np.array([[3.0, -7.0, 1e300, 5e-324], [0.1, np.pi, -1e300, 1.0]])
    made = Rescale().apply(Batch(0, rows, np.ones(2, dtype=bool)), np.array([2.4, -3.0, -900.0, np.nan])).values
    assert made[:, :2].tolist() == [[0.75, -56.0], [0.025, 8 * np.pi]]
    assert made[:, 2].tolist() == [np.finfo(float).max, -np.finfo(float).max]
    assert made[:, 3].tolist() == [5e-324, 1.0]


@pytest.mark.parametrize(("make", "message"), SHAPES)
def test_shapes_are_checked(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(dp.PlanError, match=message) as caught:
        make()
    assert caught.value.fix


@pytest.mark.parametrize("n", [0, 1, 2, 7, 1000])
@pytest.mark.parametrize("weights", [(), (1, 1, 1), (5042, 38, 1), (1, 10**30, 3)])
def test_parts_by_index_have_the_sizes_they_state(n: int, weights: tuple[int, ...]) -> None:
    """Whatever is in the rows: the place alone decides."""
    cut = Split(count=3, seed=5, weights=weights)
    part = cut.assign(Batch(0, np.zeros((n, 1)), np.ones(n, dtype=np.bool_)), n)
    assert tuple(np.bincount(part[part >= 0], minlength=3).tolist()) == cut.sizes(n)
    if weights:
        assert sum(cut.sizes(n)) == n
        assert all(abs(s - n * w / sum(weights)) <= 1 for s, w in zip(cut.sizes(n), weights, strict=True))


def test_log_densities_are_those_of_the_mixtures_less_their_mean(rng: np.random.Generator) -> None:
    values = rng.standard_normal((M, D))
    valid = np.ones(M, dtype=bool)
    valid[3] = False
    seen = LogDensities().apply(Batch(0, values, valid), SEEN, OTHER).values
    logs = []
    for value in (SEEN, OTHER):
        squares = [(((values - m.shift) @ m.matrix) ** 2).sum(axis=1) for m in value.maps]
        logs.append(logsumexp(value.log_weights[:, None] - 0.5 * np.array(squares), axis=0))
    expected = np.where(valid[:, None], np.array(logs).T - np.mean(logs, axis=0)[:, None], 0.0)
    np.testing.assert_allclose(seen, expected, atol=1e-9)
