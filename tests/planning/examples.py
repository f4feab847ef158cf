"""Plans of every shape, for the tests of certificates and of their verification."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import dpframe as dp
from dpframe.kernel import registry
from dpframe.planning.plan import Plan
from tests.planning.posts import ball, value
from tests.planning.reductions import (
    agreeing,
    averaging,
    averaging_vectors,
    blocks_and_contests,
    in_a_semimetric,
    lifting,
    of_a_family,
    selecting,
)


@dp.learner("test.halve")
def halve(values: Any) -> Any:
    return values / 2


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
def categories(x: Any) -> Any:
    start = dp.release("start", dp.gaussian(share=1.0), dp.count(x))

    def body(rows: Any, start: Any) -> Any:
        inside = dp.clip(rows, dp.ball(centre=[0.0], radius=1.0))
        near, _ = dp.transform("filter_ball", rows, dp.ball(centre=[0.0], radius=1.0))
        enough = dp.truncated_laplace_test(share=1.0, threshold=100.0, delta_fraction=0.2)
        test = dp.release("test", enough, dp.count(near))
        less = lambda rows: dp.release("less", dp.laplace(share=1.0), dp.count(rows))  # noqa: E731
        more = lambda rows: dp.release("more", dp.gaussian(share=1.0), dp.count(rows))  # noqa: E731
        either = dp.branch("either", test, more, less, near)
        return {"either": either, "mean": dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))}

    return dp.by_category("each", x, body, start, categories=3)


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
    distances = dp.transform("distance_histogram", dp.sampled_rows(x, rows=100), ball(), edges=16)
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
    promised = dp.within(dp.select(x, columns=[1, 0]), ball(2))
    scaled = dp.transform("rescale", promised, value({"type": "vector", "d": 2}))
    projected = dp.clip(dp.transform("affine", scaled, dp.post("test.map", p=1)), ball(1))
    most = dp.transform("maximum", dp.count(x), dp.count(projected))
    likely = dp.clip(dp.log_densities(x, dp.post("test.whitening"), dp.post("test.whitening")), ball(2))
    return {
        "likelihoods": dp.release("likelihoods", dp.gaussian(share=1.0), dp.sum(likely)),
        "weights": dp.release("weights", dp.gaussian(share=1.0), dp.transform("weighted_counts", seen)),
        "sums": dp.release("sums", dp.gaussian(share=4.0), dp.transform("weighted_sums", seen)),
        "grams": dp.release("grams", dp.gaussian(share=4.0), dp.transform("weighted_grams", seen)),
        "radii": dp.release("radii", dp.gaussian(share=1.0), dp.weighted_radii(seen, edges=8)),
        "squares": dp.release("squares", dp.gaussian(share=1.0), dp.weighted_squares(seen)),
        "line": dp.release("line", dp.gaussian(share=1.0), dp.mean(projected)),
        "most": dp.release("most", dp.laplace(share=1.0), most),
    }


OWN = Path(__file__).parents[1] / "plugins/own/everything.py"
registry.import_file(OWN)


@dp.program
def of_ones_own(x: Any) -> Any:
    low, high = dp.own("every.signs", x)
    total = dp.own("every.total", dp.count(high))
    return {
        "sums": dp.release("sums", dp.gaussian(share=1.0), dp.own("every.sums", x, ball(), p=2)),
        "squares": dp.release("squares", dp.laplace(share=1.0), dp.count(dp.own("every.squares", low))),
        "distinct": dp.release("distinct", dp.own("every.laplace", m=1, share=1.0), dp.own("every.distinct", low)),
        "total": dp.release("total", dp.laplace(share=1.0), total),
        "rows": dp.release("rows", dp.own("every.noisy_count", share=1.0), dp.all_rows(high)),
    }


@dp.program
def in_row_expressions(x: Any) -> Any:
    at = dp.release("at", dp.gaussian(share=1.0), dp.express_sum(x, formula=lambda row: row[0], norm="l1", bound=2.0))
    low, high = dp.express_parts(x, at, formula=lambda row, at: row[0] > at[0], count=2)
    return {
        "low": dp.release("low", dp.laplace(share=1.0), dp.count(low)),
        "ratios": dp.release(
            "ratios", dp.laplace(share=1.0), dp.count(dp.express(high, formula=lambda row: 1 / row[1]))
        ),
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
    "categories": (categories, dp.REPLACE_ONE, APPROXIMATE),
    "categories, add/remove": (categories, dp.ADD_REMOVE, APPROXIMATE),
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
    "averaging vectors of a part": (averaging_vectors, dp.REPLACE_ONE, APPROXIMATE),
    "lift": (lifting, dp.REPLACE_ONE, APPROXIMATE),
    "registered family": (of_a_family, dp.ADD_REMOVE, APPROXIMATE),
    "blocks and contests": (blocks_and_contests, dp.REPLACE_ONE, APPROXIMATE),
    "columns": (columns, dp.ADD_REMOVE, APPROXIMATE),
    "selections": (selections, dp.ADD_REMOVE, APPROXIMATE),
    "released bins": (released_bins, dp.REPLACE_ONE, APPROXIMATE),
    "soft moments": (soft, dp.ADD_REMOVE, APPROXIMATE),
    "operations of one's own": (of_ones_own, dp.REPLACE_ONE, APPROXIMATE),
    "operations of one's own, add/remove": (of_ones_own, dp.ADD_REMOVE, APPROXIMATE),
    "row expressions": (in_row_expressions, dp.ADD_REMOVE, APPROXIMATE),
    "asserted row map": (asserted, dp.REPLACE_ONE, APPROXIMATE),
}


@functools.cache
def plan_of(case: str) -> Plan:
    """The plan of a case, made once."""
    program, adjacency, budget = CASES[case]
    return make(program, adjacency, budget)


def make(program: Any, adjacency: Any, budget: Any) -> Plan:
    """Plan a program of one table with two columns."""
    return dp.plan(program, x=dp.rows(n=1000, d=2), adjacency=adjacency, budget=budget, allow_asserted=True)
