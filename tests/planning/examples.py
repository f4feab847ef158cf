"""Plans of every shape, for the tests of certificates and of their verification."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import attrs
import numpy as np

import dpframe as dp
from dpframe.kernel.operations import PARAM, Post, Slot
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import (
    AffineMap,
    Ball,
    BallValue,
    Domain,
    Flag,
    ListOf,
    Outcome,
    Record,
    Whitening,
    domain_from_json,
)


@dp.register("test.balls")
@attrs.frozen
class Balls(Post):
    """A list of balls from any released value."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("released", PARAM, variadic=True),)
    d: int = attrs.field(default=2, kw_only=True)
    most: int = attrs.field(default=4, kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        return ListOf(Ball(self.d), self.most)

    def apply(self, *values: Any) -> Any:
        return [BallValue(np.full(self.d, float(i)), 5.0) for i in range(self.most)]


@dp.register("test.flag")
@attrs.frozen
class Always(Post):
    """A flag from any released value."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("released", PARAM, variadic=True),)

    def output(self, *inputs: Domain) -> Domain:
        return Flag()

    def apply(self, *values: Any) -> Any:
        return Outcome(True, 0.0)


@dp.register("test.grids")
@attrs.frozen
class TestGrids(Post):
    """Grids, as a record."""

    def output(self, *inputs: Domain) -> Domain:
        return Record("grids")


@dp.register("test.map")
@attrs.frozen
class Map(Post):
    """A map of two columns to ``p``."""

    p: int = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        return AffineMap(2, self.p)


@dp.register("test.whitening")
@attrs.frozen
class TwoComponents(Post):
    """Two components of two columns."""

    def output(self, *inputs: Domain) -> Domain:
        return Whitening(2, 2)


@dp.learner("test.halve")
def halve(values: Any) -> Any:
    return values / 2


def ball(d: int = 2) -> Any:
    return dp.ball(centre=[0.0] * d, radius=10.0)


@dp.program
def simple_mean(x: Any) -> Any:
    return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball())))


@dp.program
def by_rule(x: Any) -> Any:
    inside, outside = dp.transform("filter_ball", x, ball())
    total = dp.release("inside", dp.gaussian(share=2.0), dp.sum(dp.clip(inside, ball())))
    far = dp.release("outside", dp.laplace(share=1.0), dp.count(outside))
    return {"inside": total, "outside": far}


@dp.program
def nested_parts(x: Any) -> Any:
    first, second = dp.transform("filter_ball", x, ball())
    parts = dp.transform("partition_halfspace", first, dp.post("test.map", p=1))
    a = dp.release("a", dp.gaussian(share=1.0), dp.count(parts[0]))
    b = dp.release("b", dp.gaussian(share=1.0), dp.count(parts[1]))
    c = dp.release("c", dp.gaussian(share=3.0), dp.count(second))
    return a, b, c


@dp.program
def index_halves(x: Any) -> Any:
    left, right = dp.transform("split", x, count=2)
    a = dp.release("a", dp.gaussian(share=1.0), dp.mean(dp.clip(left, ball())))
    b = dp.release("b", dp.gaussian(share=2.0), dp.mean(dp.clip(right, ball())))
    pairs = dp.transform("pairs", x)
    return a, b, dp.release("c", dp.gaussian(share=1.0), dp.gram(dp.clip(pairs, ball())))


@dp.program
def loop(x: Any) -> Any:
    def body(item: Any, rows: Any) -> Any:
        return dp.release("sum", dp.gaussian(share=1.0), dp.sum(dp.clip(rows, item)))

    balls = dp.post("test.balls")
    return dp.for_each("sums", balls, body, x, share=1.0, max_length=4)


@dp.program
def mixed_loop(x: Any) -> Any:
    def body(item: Any, rows: Any) -> Any:
        near, _ = dp.transform("filter_ball", rows, item)
        dp.release("count", dp.laplace(share=1.0), dp.count(near))
        return dp.release("sum", dp.gaussian(share=3.0), dp.sum(dp.clip(near, item)))

    start = dp.release("start", dp.gaussian(share=1.0), dp.count(x))
    return dp.for_each("sums", dp.post("test.balls", start), body, x, share=2.0, max_length=4, view="zcdp")


@dp.program
def pure_loop(x: Any) -> Any:
    def body(item: Any, rows: Any) -> Any:
        near, _ = dp.transform("filter_ball", rows, item)
        return dp.release("count", dp.laplace(share=1.0), dp.count(near))

    return dp.for_each("counts", dp.post("test.balls"), body, x, share=2.0, max_length=4, view="pure")


@dp.program
def tested(x: Any) -> Any:
    def then(rows: Any) -> Any:
        return dp.release("sum", dp.gaussian(share=2.0), dp.sum(dp.clip(rows, ball())))

    def otherwise(rows: Any) -> Any:
        return dp.release("box", dp.laplace(share=1.0), dp.transform("box_sum", dp.clip_box(rows, ball())))

    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=100.0, delta_fraction=0.2), dp.count(x))
    return dp.branch("chosen", test, then, otherwise, x)


@dp.program
def recursion(x: Any) -> Any:
    def body(rows: Any, state: Any) -> Any:
        count = dp.release("count", dp.gaussian(share=1.0), dp.count(rows))
        dp.transform("filter_ball", rows, state, name="children")
        return {"split": dp.post("test.flag", count), "left": state, "right": state}

    def leaf(rows: Any, state: Any) -> Any:
        return dp.release("mean", dp.gaussian(share=2.0), dp.mean(dp.clip(rows, state)))

    return dp.recurse("tree", x, ball(), body, leaf, max_depth=3, max_leaves=4)


@dp.program
def mixed_recursion(x: Any) -> Any:
    def body(rows: Any, state: Any) -> Any:
        count = dp.release("count", dp.laplace(share=1.0), dp.count(rows))
        dp.transform("filter_ball", rows, state, name="children")
        return {"split": dp.post("test.flag", count), "left": state, "right": state}

    def leaf(rows: Any, state: Any) -> Any:
        return dp.release("mean", dp.gaussian(share=2.0), dp.mean(dp.clip(rows, state)))

    return dp.worklist("tree", x, ball(), body, leaf, max_depth=2, max_leaves=4)


@dp.program
def sampled(x: Any) -> Any:
    (sample,) = dp.transform("subsample", x, rate=0.125)
    scores = dp.transform("ball_counts", sample, dp.post("test.balls"), size=4)
    best = dp.release("best", dp.named("exponential_mechanism", {"share": 1.0}), scores)
    count = dp.release("count", dp.laplace(share=1.0), dp.count(sample))
    return best, count, dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball())))


@dp.program
def histograms(x: Any) -> Any:
    cells = dp.transform("cells", x, dp.post("test.grids"), levels=3)
    found = dp.release("cells", dp.stable_histogram(share=1.0, delta_fraction=0.25), cells)
    distances = dp.transform("distance_histogram", x, ball(), edges=16)
    return found, dp.release("distances", dp.gaussian(share=1.0), distances)


@dp.program
def secret_pairs(x: Any) -> Any:
    pairs = dp.transform("secret_pairs", x)
    parts = dp.transform("secret_split", x, count=3)
    scores = dp.transform("terrific_score", parts[0], dp.post("test.balls"), size=4, t=50)
    capped = dp.group_maximum(dp.transform("cap", scores, t=30), groups=2)
    first = dp.release("first", dp.above_threshold(share=1.0, threshold=20.0), capped)
    least = dp.transform("minimum", dp.count(parts[1]), dp.count(parts[1]))
    low = dp.release("least", dp.laplace(share=1.0), least)
    return first, low, dp.release("gram", dp.gaussian(share=1.0), dp.gram(dp.clip(pairs, ball())))


@dp.program
def asserted(x: Any) -> Any:
    image = dp.transform("row_map", x, function="test.halve", p=2)
    chosen = dp.named("permute_and_flip", {"share": 1.0})
    distances = dp.transform("distance_histogram", image, ball(), edges=4)
    noisy = dp.named("discrete_gaussian", {"noise_multiplier": 20.0})
    return dp.release("index", chosen, distances), dp.release("counts", noisy, distances)


@dp.program
def many_parts(x: Any) -> Any:
    in_balls = dp.transform("partition_balls", x, dp.post("test.balls"), balls=4)
    near = dp.transform("partition_nearest", in_balls[4], dp.constant([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), centres=3)
    out = {}
    for i in range(2):
        out[f"in_{i}"] = dp.release(f"in_{i}", dp.gaussian(share=1.0), dp.count(in_balls[i]))
    for i in range(2):
        spread = dp.square_sum(dp.clip(near[i], ball()))
        out[f"near_{i}"] = dp.release(f"near_{i}", dp.laplace(share=1.0 + i), dp.count(near[i]))
        out[f"spread_{i}"] = dp.release(f"spread_{i}", dp.gaussian(share=1.0 + i), spread)
    return out


@dp.register("test.value")
@attrs.frozen
class Value(Post):
    """A released value of any domain, given as JSON."""

    domain: dict[str, Any] = attrs.field(kw_only=True)

    def output(self, *inputs: Domain) -> Domain:
        return domain_from_json(self.domain)


@dp.learner("test.centre")
def centre(rows: Any, generator: Any) -> Any:
    return (rows.mean(axis=0),)


@dp.program
def agreeing(x: Any) -> Any:
    """The populous estimate with an l2 mask: a value that exists only if a released test passed."""
    blocks = dp.transform("block_learner", x, learner="test.centre", t=100, item="vector", size=[2])
    agreement = dp.transform("agreement", blocks, r=0.5, d=2)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.75, delta_fraction=0.25), agreement)
    chosen = dp.transform("select_block", blocks, test, r=0.5, d=2, theta=0.625, test_threshold=0.75)

    def then(value: Any) -> Any:
        return dp.release("masked", dp.gaussian(share=1.0), value)

    def otherwise(value: Any) -> Any:
        return dp.constant([0.0, 0.0])

    return dp.branch("mean", test, then, otherwise, chosen)


@dp.program
def averaging(x: Any) -> Any:
    """The averaged populous estimate of one Gaussian, masked in its own shape."""
    blocks = dp.transform("block_learner", x, learner="test.centre", t=40, item="mixture", size=[1, 2])
    shared = {"k": 1, "d": 2, "r": 0.01, "majority": 20, "ramp": 20}
    weight = dp.transform("populous_weight", blocks, **shared)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=30.0, delta_fraction=0.25), weight)
    chosen = dp.transform("populous_average", blocks, test, test_threshold=30.0, **shared)

    def then(average: Any) -> Any:
        return dp.release("masked", dp.named("mixture_mask", {"share": 1.0}), average)

    def otherwise(average: Any) -> Any:
        return value({"type": "mixture", "k": 1, "d": 2})

    return dp.branch("mixture", test, then, otherwise, chosen)


@dp.program
def selecting(x: Any) -> Any:
    """Algorithm 1 for a Gaussian: the first block that agrees with most, masked in its own shape."""
    blocks = dp.transform("block_learner", x, learner="test.centre", t=100, item="mixture", size=[1, 2])
    shared = {"k": 1, "d": 2, "nu": 0.001}
    agreement = dp.transform("mixture_agreement", blocks, **shared)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.75, delta_fraction=0.25), agreement)
    chosen = dp.transform("select_mixture", blocks, test, majority=60, test_threshold=0.75, **shared)

    def then(selected: Any) -> Any:
        return dp.release("masked", dp.named("mixture_mask", {"share": 1.0, "spread": (1.0, 2.0, 3.0)}), selected)

    def otherwise(selected: Any) -> Any:
        return value({"type": "mixture", "k": 1, "d": 2})

    return dp.branch("mixture", test, then, otherwise, chosen)


@dp.program
def in_a_semimetric(x: Any) -> Any:
    """Algorithm 1 in a registered semimetric, with its registered mask."""
    blocks = dp.transform("block_learner", x, learner="test.centre", t=100, item="vector", size=[2])
    shared = {"semimetric": "euclidean", "r": 0.5, "z": 1.25, "d": 2}
    agreement = dp.transform("registered_agreement", blocks, **shared)
    test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.75, delta_fraction=0.25), agreement)
    chosen = dp.transform("select_registered", blocks, test, majority=60, test_threshold=0.75, **shared)

    def then(selected: Any) -> Any:
        mask = {"share": 1.0, "mask": "euclidean.gaussian", "semimetric": "euclidean", "r": 0.5}
        return dp.release("masked", dp.named("registered_mask", mask), selected)

    def otherwise(selected: Any) -> Any:
        return dp.constant([0.0, 0.0])

    return dp.branch("mean", test, then, otherwise, chosen)


@dp.program
def blocks_and_contests(x: Any) -> Any:
    blocks = dp.transform("block_learner", x, learner="test.centre", t=50, item="points", size=[3, 2])
    held = dp.transform("block_counts", blocks, dp.post("test.balls"), k=3, d=2, size=4)
    index = dp.release("index", dp.named("exponential_mechanism", {"share": 1.0}), held)
    mean = dp.release("mean", dp.gaussian(share=1.0), dp.transform("block_sum", blocks, ball(), k=3, d=2))
    hypotheses = value({"type": "list_of", "max_length": 5, "item": {"type": "mixture", "k": 2, "d": 2}})
    bars = value({"type": "array", "shape": [5, 5]})
    scores = dp.transform("contest_scores", x, hypotheses, bars, size=5, n=1000)
    best = dp.release("best", dp.named("exponential_mechanism", {"share": 1.0}), scores)
    line = dp.transform("project", x, value({"type": "subspace", "d": 2, "p": 1}), ball())
    held = dp.block_cells(blocks, dp.post("test.grids"), k=3, d=2, levels=1)
    cells = dp.release("cells", dp.stable_histogram(share=1.0, delta_fraction=0.25), held)
    with_payload = dp.block_learner(x, learner="test.centre", t=50, item="points", size=[3, 3])
    moments = dp.block_moments(with_payload, ball(), ball(1), k=3, d=2, payload=1)
    dp.release("moments", dp.gaussian(share=1.0), moments)
    return index, mean, best, cells, dp.release("line", dp.gaussian(share=1.0), dp.sum(dp.clip(line, ball(1))))


def value(domain: dict[str, Any]) -> Any:
    return dp.post("test.value", domain=domain)


@dp.program
def columns(x: Any) -> Any:
    bins = dp.transform("bin_counts", x, edges=[0.0, 1.0, 2.0], column=1)
    codes = dp.transform("value_counts", x, values=[0.0, 1.0])
    ranks = dp.transform("rank_scores", x, candidates=[0.0, 1.0, 2.0], numerator=1, denominator=2)
    median = dp.release("median", dp.named("exponential_mechanism", {"share": 1.0}), ranks)
    counts = dp.release("bins", dp.laplace(share=1.0), bins), dp.release("codes", dp.gaussian(share=1.0), codes)
    return *counts, median


@dp.program
def released_bins(x: Any) -> Any:
    edges = value({"type": "array", "shape": [2, 3]})
    grids = value({"type": "array", "shape": [4, 3]})
    sizes = dp.release("sizes", dp.gaussian(share=1.0), dp.transform("dyadic_counts", dp.transform("pairs", x)))
    marginals = dp.release("marginals", dp.gaussian(share=1.0), dp.transform("marginal_counts", x, edges))
    joint = dp.release("joint", dp.gaussian(share=1.0), dp.transform("product_counts", x, edges))
    found = dp.transform("column_cells", x, grids, levels=4)
    boxes = dp.transform("box_cells", x, value({"type": "array", "shape": [2, 4]}), levels=2)
    bins = dp.release("bins", dp.stable_histogram(share=1.0, delta_fraction=0.2), found)
    return sizes, marginals, joint, bins, dp.release("boxes", dp.stable_histogram(share=1.0, delta_fraction=0.2), boxes)


@dp.program
def selections(x: Any) -> Any:
    hypotheses = value({"type": "record", "name": "hypotheses"})
    contests = dp.transform("scheffe_scores", x, hypotheses, value({"type": "array", "shape": [5, 5]}), size=5, n=1000)
    line = dp.transform("affine", x, dp.post("test.map", p=1))
    edges = value({"type": "array", "shape": [1, 3]})
    unions = dp.transform("interval_scores", line, edges, hypotheses, size=7, n=1000, intervals=4)
    first = dp.release("first", dp.named("exponential_mechanism", {"share": 1.0}), contests)
    return first, dp.release("second", dp.named("permute_and_flip", {"share": 1.0}), unions)


@dp.program
def soft(x: Any) -> Any:
    seen = dp.transform("whiten", x, dp.post("test.whitening"))
    scaled = dp.transform("rescale", x, value({"type": "vector", "d": 2}))
    projected = dp.clip(dp.transform("affine", scaled, dp.post("test.map", p=1)), ball(1))
    most = dp.transform("maximum", dp.count(x), dp.count(projected))
    return {
        "weights": dp.release("weights", dp.gaussian(share=1.0), dp.transform("weighted_counts", seen)),
        "sums": dp.release("sums", dp.gaussian(share=4.0), dp.transform("weighted_sums", seen)),
        "grams": dp.release("grams", dp.gaussian(share=4.0), dp.transform("weighted_grams", seen)),
        "line": dp.release("line", dp.gaussian(share=1.0), dp.mean(projected)),
        "most": dp.release("most", dp.laplace(share=1.0), most),
    }


APPROXIMATE = dp.approx_dp(epsilon=1.0, delta=1e-6)
CASES: dict[str, tuple[Any, Any, Any]] = {
    "simple mean": (simple_mean, dp.REPLACE_ONE, APPROXIMATE),
    "simple mean, add/remove": (simple_mean, dp.ADD_REMOVE, APPROXIMATE),
    "simple mean, user level": (simple_mean, dp.Edits(3, 3), APPROXIMATE),
    "zCDP": (simple_mean, dp.REPLACE_ONE, dp.zcdp(rho=0.5)),
    "GDP": (simple_mean, dp.REPLACE_ONE, dp.gdp(mu=1.0)),
    "partition by rule": (by_rule, dp.REPLACE_ONE, APPROXIMATE),
    "partition by rule, add/remove": (by_rule, dp.ADD_REMOVE, APPROXIMATE),
    "nested partitions": (nested_parts, dp.REPLACE_ONE, APPROXIMATE),
    "halves by index": (index_halves, dp.REPLACE_ONE, APPROXIMATE),
    "for_each": (loop, dp.REPLACE_ONE, APPROXIMATE),
    "for_each, zCDP view": (mixed_loop, dp.REPLACE_ONE, APPROXIMATE),
    "for_each, pure": (pure_loop, dp.REPLACE_ONE, dp.pure_dp(epsilon=1.0)),
    "branch": (tested, dp.REPLACE_ONE, APPROXIMATE),
    "recurse": (recursion, dp.REPLACE_ONE, APPROXIMATE),
    "worklist": (mixed_recursion, dp.REPLACE_ONE, APPROXIMATE),
    "subsample": (sampled, dp.REPLACE_ONE, APPROXIMATE),
    "subsample, add/remove": (sampled, dp.ADD_REMOVE, APPROXIMATE),
    "histograms": (histograms, dp.REPLACE_ONE, APPROXIMATE),
    "secret pairs and labels": (secret_pairs, dp.ADD_REMOVE, APPROXIMATE),
    "many parts": (many_parts, dp.REPLACE_ONE, APPROXIMATE),
    "branch with given": (agreeing, dp.REPLACE_ONE, APPROXIMATE),
    "averaging": (averaging, dp.REPLACE_ONE, APPROXIMATE),
    "selecting": (selecting, dp.REPLACE_ONE, APPROXIMATE),
    "registered semimetric": (in_a_semimetric, dp.REPLACE_ONE, APPROXIMATE),
    "blocks and contests": (blocks_and_contests, dp.REPLACE_ONE, APPROXIMATE),
    "columns": (columns, dp.ADD_REMOVE, APPROXIMATE),
    "selections": (selections, dp.ADD_REMOVE, APPROXIMATE),
    "released bins": (released_bins, dp.REPLACE_ONE, APPROXIMATE),
    "soft moments": (soft, dp.ADD_REMOVE, APPROXIMATE),
    "asserted row map": (asserted, dp.REPLACE_ONE, APPROXIMATE),
}


@functools.cache
def plan_of(case: str) -> Plan:
    """The plan of a case, made once."""
    program, adjacency, budget = CASES[case]
    return make(program, adjacency, budget)


def make(program: Any, adjacency: Any, budget: Any) -> Plan:
    """Plan a program of one table with two columns."""
    return dp.plan(program, x=dp.rows(n=1000, d=2), adjacency=adjacency, budget=budget)
