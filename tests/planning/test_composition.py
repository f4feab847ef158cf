"""Composition over regions against brute force: partitions, adjacencies, loops, branches, samples."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpframe as dp
import tests.declared  # noqa: F401  registers the mechanism "declared"
from dpframe.front.program import Handle
from dpframe.planning import composition
from dpframe.planning.deltas import delta
from dpframe.planning.surveying import node_metrics, survey, widest
from dpframe.proof.losses import Gaussian, Loss, Pure, compose, worst
from dpframe.proof.spaces import ADD, L1, L2, REMOVE, REPLACE_ONE, Edits, LInf, adjacency
from tests.papers.skeletons.stubs import ball, flag, planned, rho_pure, state

PURE = dp.pure_dp(epsilon=1e9)


def priced(name: str, rows: Handle, replace: float, remove: float, add: float) -> Handle:
    """A stub that costs so much under (1,1), (1,0) and (0,1)."""
    parameters = {"cites": "a table", "noise_multiplier": 1.0, "replace": replace, "remove": remove, "add": add}
    released: Handle = dp.release(name, dp.build("declared", parameters), rows)
    return released


def noisy(name: str, rows: Handle, epsilon: float = 1.0) -> Handle:
    released: Handle = dp.release(name, dp.laplace(noise_multiplier=1 / epsilon), dp.count(rows))
    return released


def epsilon(program: Callable[..., Any], **how: Any) -> float:
    return float(planned(program, budget=PURE, **how).loss.epsilon)


# ------------------------------------------------------- random trees of partitions, by enumeration

COSTS = st.tuples(*[st.sampled_from([0.25, 0.5, 1.0, 3.0])] * 3)
Tree = tuple[Any, ...]  # (costs of the mechanisms of the region, kind of its partition or None, children)


def trees(depth: int) -> st.SearchStrategy[Tree]:
    here = st.lists(COSTS, max_size=2)
    if not depth:
        return st.tuples(here, st.none(), st.just([]))
    below = st.lists(trees(depth - 1), min_size=2, max_size=3)
    return st.tuples(here, st.sampled_from([None, "rule", "secret"]), below)


def build(rows: Handle, tree: Tree, name: str) -> list[Handle]:
    costs, kind, children = tree
    seen = [priced(f"{name}_m{i}", rows, *cost) for i, cost in enumerate(costs)]
    if kind is None:
        return seen
    count = len(children)
    if kind == "rule":
        points = dp.constant(np.arange(2.0 * count).reshape(count, 2))
        parts = dp.transform("partition_nearest", rows, points, centres=count, name=f"{name}_p")
    else:
        parts = dp.transform("secret_split" if kind == "secret" else "split", rows, count=count, name=f"{name}_p")
    for i, child in enumerate(children):
        seen += build(parts[i], child, f"{name}_{i}")
    return seen


def cells(tree: Tree) -> Iterator[tuple[int, ...]]:
    """Where a row may end: in no part (the last index), or in a part and on from there."""
    _, kind, children = tree
    if kind is None:
        yield ()
        return
    yield (len(children),)
    for i, child in enumerate(children):
        for rest in cells(child):
            yield (i, *rest)


def cost(tree: Tree, out: tuple[int, ...] | None, into: tuple[int, ...] | None) -> float:
    """What the mechanisms of all regions that see a change cost: one row leaves by ``out``, one enters by ``into``."""
    costs, kind, children = tree
    edit = 0 if out is not None and into is not None else 1 if out is not None else 2
    total = sum(c[edit] for c in costs)
    if kind is None:
        return total
    for i, child in enumerate(children):
        leaves = out[1:] if out is not None and out and out[0] == i else None
        enters = into[1:] if into is not None and into and into[0] == i else None
        if leaves is not None or enters is not None:
            total += cost(child, leaves, enters)
    return total


def by_enumeration(tree: Tree, edits: Edits) -> float:
    ends = list(cells(tree))
    outs: list[Any] = ends if edits.removed else [None]
    ins: list[Any] = ends if edits.added else [None]
    return max(cost(tree, out, into) for out in outs for into in ins)


@given(tree=trees(2))
@settings(max_examples=60)
def test_partitions_cost_the_worst_allocation(tree: Tree) -> None:
    """Every cell the removed row can be in, every cell the added one can, and what both change composed."""

    def program(x: Handle) -> Handle:
        return state(noisy("always", x, 2.0**-20), *build(x, tree, "t"))

    always = 2.0**-20
    assert epsilon(program) == pytest.approx(by_enumeration(tree, REPLACE_ONE) + always, rel=1e-9)
    expected = max(by_enumeration(tree, REMOVE), by_enumeration(tree, ADD)) + always
    assert epsilon(program, n=None, adjacency=dp.ADD_REMOVE) == pytest.approx(expected, rel=1e-9)


@given(costs=COSTS, categories=st.integers(1, 5))
@settings(max_examples=20)
def test_categories_cost_two_bodies_or_one(costs: tuple[float, float, float], categories: int) -> None:
    """By enumeration of where the old and the new row are: each in the table of one category, or in none."""

    def program(x: Handle) -> Handle:
        body = lambda rows: priced("m", rows, *costs)  # noqa: E731
        return dp.by_category("each", x, body, categories=categories)

    replace, remove, add = costs
    ends = [{place} for place in range(categories)] + [set()]
    tables = max(len(out | into) for out in ends for into in ends)  # of which one row may be another, or empty
    assert epsilon(program) == pytest.approx(tables * replace, rel=1e-9)
    assert epsilon(program, n=None, adjacency=dp.ADD_REMOVE) == pytest.approx(max(remove, add), rel=1e-9)


def test_max_over_the_parts_is_wrong() -> None:
    """A row moves from one part to the other: both counts change, and the exact ratio is e^{2ε}."""

    def program(x: Handle) -> Handle:
        near, far = dp.transform("filter_ball", x, ball(2))
        return state(noisy("near", near), noisy("far", far))

    z = np.arange(-200, 201)
    law = np.exp(-np.abs(z)) / np.exp(-np.abs(z)).sum()
    ratios = [law[i] * law[j] / (law[i + 1] * law[j - 1]) for i, j in itertools.product(range(100, 300), repeat=2)]
    assert max(ratios) == pytest.approx(math.exp(2.0), rel=1e-9)
    assert epsilon(program) == pytest.approx(2.0)


@pytest.mark.parametrize(("count", "expected"), [(2, 1.0), (5, 1.0)])
def test_parts_by_index_cost_their_maximum(count: int, expected: float) -> None:
    def program(x: Handle) -> Handle:
        return state(*(noisy(f"n{i}", p) for i, p in enumerate(dp.transform("split", x, count=count))))

    assert epsilon(program) == pytest.approx(expected)


def test_an_index_split_of_a_filtered_part_is_refused_and_of_a_half_is_not() -> None:
    def quarters(x: Handle) -> Handle:
        half = dp.transform("split", x, count=2, seed=1)[0]
        return state(*(noisy(f"n{i}", p) for i, p in enumerate(dp.transform("split", half, count=2, seed=2))))

    def filtered(x: Handle) -> Handle:
        near = dp.transform("filter_ball", x, ball(2), name="near")[0]
        return noisy("n", dp.transform("split", near, count=2, name="halves")[0])

    def sampled(x: Handle) -> Handle:
        sample = dp.transform("subsample", x, rate=0.5, name="sample")[0]
        return noisy("n", dp.transform("pairs", sample, name="twos"))

    assert epsilon(quarters) == pytest.approx(1.0)
    for program, name in ((filtered, "halves"), (sampled, "twos")):
        with pytest.raises(dp.PlanError, match=rf"node '{name}'.*before any filter"):
            planned(program)


def test_unused_parts_cost_nothing() -> None:
    def program(x: Handle) -> Handle:
        return noisy("n", dp.transform("filter_ball", x, ball(2))[0])

    assert epsilon(program) == pytest.approx(1.0)


# ------------------------------------------------------------- the worst is taken at the node


def test_the_worst_is_taken_at_the_node_not_after_composing() -> None:
    """A response at ε = 1 chooses a second one or "reveal with probability ¼"; δ(1.5) is 0.278."""
    respond = math.e / (1 + math.e)
    law = {1: respond, 0: 1 - respond}
    first = {1: law, 0: {1: 1 - respond, 0: respond}}

    def output(bit: int) -> dict[Any, float]:
        out: dict[Any, float] = {}
        for a in (0, 1):
            if a:
                for b in (0, 1):
                    out[a, b] = first[bit][a] * first[bit][b]
            else:
                out[a, "hidden"] = first[bit][a] * 0.75
                out[a, f"revealed {bit}"] = first[bit][a] * 0.25
        return out

    p, q = output(1), output(0)
    both = {*p, *q}
    exact = max(
        sum(max(0.0, one.get(k, 0.0) - math.exp(1.5) * other.get(k, 0.0)) for k in both)
        for one, other in ((p, q), (q, p))
    )
    assert exact == pytest.approx(0.278, abs=5e-4)

    def chosen(x: Handle) -> Handle:
        first = noisy("first", x)
        return dp.branch("second", flag(first), lambda r: state(noisy("again", r)), reveal, x)

    def reveal(rows: Handle) -> Handle:
        parameters = {"cites": "x", "noise_multiplier": 1e9, "delta_fraction": 0.25 / 0.9}
        return state(dp.release("reveal", dp.build("declared", parameters), rows))

    plan = planned(chosen, budget=dp.approx_dp(epsilon=50.0, delta=0.9))
    charged = min(delta(plan.loss, 1.5, a) for a in ("basic", "rdp", "zcdp", "pld"))
    assert charged >= exact
    # "always one or always the other", whichever is worse, would be too little
    always = [compose(Loss.of(Pure(1.0)), second) for second in (Loss.of(Pure(1.0)), Loss((), 0.25))]
    assert max(min(delta(loss, 1.5, a) for a in ("basic", "pld")) for loss in always) < exact


def test_branches_cost_the_worse_of_the_two_and_the_test() -> None:
    def program(x: Handle) -> Handle:
        mechanism = dp.truncated_laplace_test(noise_multiplier=2.0, threshold=3.0, delta_fraction=0.2)
        test = dp.release("test", mechanism, dp.count(x))
        return dp.branch("b", test, lambda r: noisy("n", r, 3.0), lambda r: noisy("n", r, 5.0), x)

    plan = planned(program, budget=dp.approx_dp(epsilon=50.0, delta=1e-6))
    assert plan.loss.epsilon == pytest.approx(0.5 + 5.0)
    assert plan.loss.delta == pytest.approx(2e-7)
    assert {"/".join(p) for p in plan.calibrations} == {"test", "b/then/n", "b/otherwise/n"}


# ------------------------------------------------------------------------------- adjacencies


def test_add_remove_is_the_worse_of_its_two_edits() -> None:
    def program(x: Handle) -> Handle:
        return priced("m", x, 9.0, 1.0, 2.0)

    assert epsilon(program, n=None, adjacency=dp.ADD_REMOVE) == pytest.approx(2.0)
    assert epsilon(program) == pytest.approx(9.0)
    assert epsilon(program, n=None, adjacency=Edits(1, 0)) == pytest.approx(1.0)


@pytest.mark.parametrize("m", [1, 2, 7])
def test_user_level_edits_are_honoured(m: int) -> None:
    def program(x: Handle) -> Handle:
        inside = dp.clip(x, ball(2))
        return state(
            dp.release("n", dp.laplace(noise_multiplier=2.0), dp.count(x)),
            dp.release("s", dp.gaussian(noise_multiplier=2.0), dp.sum(inside)),
            dp.release("g", dp.gaussian(noise_multiplier=2.0), dp.gram(inside)),
            dp.release("h", dp.gaussian(noise_multiplier=2.0), dp.transform("distance_histogram", x, ball(2))),
        )

    plan = planned(program, adjacency=Edits(m, m))
    assert plan.adjacency == adjacency(Edits(m, m))
    assert plan.calibrations["n",]["scale"] == pytest.approx(2.0 * m)
    assert plan.calibrations["s",]["sigma"] == pytest.approx(2.0 * 2 * m)
    assert plan.calibrations["g",]["sigma"] == pytest.approx(2.0 * math.sqrt(2) * m)
    assert plan.calibrations["h",]["sigma"] == pytest.approx(2.0 * math.sqrt(2) * m)
    assert plan.loss == planned(program).loss


@pytest.mark.parametrize(
    "program",
    [
        lambda x: noisy("n", dp.transform("secret_split", x, count=2)[0]),
        lambda x: noisy("n", dp.transform("split", x, count=2)[0]),
        lambda x: noisy("n", dp.transform("subsample", x, rate=0.5)[0]),
        lambda x: priced("n", x, 1.0, 1.0, 1.0),
    ],
)
def test_user_level_edits_are_refused_where_nothing_is_proved(program: Callable[[Handle], Handle]) -> None:
    with pytest.raises(dp.PlanError, match=r"single-row edits|split.*by row index"):
        planned(program, adjacency=Edits(2, 2))


# ------------------------------------------------------------------------------ secret samples


@pytest.mark.parametrize("rate", [0.01, 0.3, 1.0])
def test_secret_samples_are_amplified_and_the_bound_is_tight(rate: float) -> None:
    """A count of a sample: an added row is sampled with probability p; the exact ratio of the two laws."""

    def program(x: Handle) -> Handle:
        return noisy("n", dp.transform("subsample", x, rate=rate)[0])

    z = np.arange(-100, 101)
    law = np.exp(-np.abs(z)) / np.exp(-np.abs(z)).sum()
    here, there = law[20:-20], law[19:-21]
    mixed = (1 - rate) * here + rate * there
    exact = float(np.abs(np.log(mixed / here)).max())
    claimed = epsilon(program, n=None, adjacency=dp.ADD_REMOVE)
    assert exact <= claimed * (1 + 1e-9)
    assert claimed == pytest.approx(math.log1p(rate * math.expm1(1.0)), rel=1e-9)
    assert exact == pytest.approx(claimed, rel=1e-6)


def test_amplification_is_once_for_all_on_the_sample() -> None:
    def program(x: Handle) -> Handle:
        sample = dp.transform("subsample", x, rate=0.1)[0]
        near, far = dp.transform("filter_ball", sample, ball(2))
        return state(noisy("a", sample, 0.5), noisy("b", near, 0.25), noisy("c", far, 0.125))

    assert epsilon(program) == pytest.approx(math.log1p(0.1 * math.expm1(0.5 + 0.25 + 0.125)), rel=1e-9)


def test_gaussians_on_a_sample_are_refused() -> None:
    def program(x: Handle) -> Handle:
        return dp.release("n", dp.gaussian(share=1.0), dp.count(dp.transform("subsample", x, rate=0.1, name="s")[0]))

    with pytest.raises(dp.DpframeError, match=r"node 's'.*finite pure epsilon"):
        planned(program)


# --------------------------------------------------------------------- surveys of the metrics


def test_survey_meets_every_allocation() -> None:
    plan = planned(
        lambda x: dp.release(
            "s", dp.gaussian(share=1.0), dp.mean(dp.clip(dp.transform("filter_ball", x, ball(2))[0], ball(2)))
        )
    )
    (met,) = [met for _, met in survey(plan.typed, plan.adjacency).values()]
    assert sorted(m.bound for metrics in met for m in metrics if isinstance(m, L2)) == pytest.approx(
        [math.sqrt(2), 2.0]
    )
    assert plan.weighings["s",].worst == (L2(2.0),) or plan.weighings["s",].worst[0].bound >= 2.0


def test_widest_covers_kind_by_kind() -> None:
    met = [(L1(1.0), L2(3.0)), (L2(2.0), L1(4.0)), (L1(2.0), L2(1.0), LInf(9.0))]
    assert set(widest(met)) == {L1(4.0), L2(3.0)}


def test_metrics_of_every_node_are_known_to_the_ledger() -> None:
    plan = planned(lambda x: noisy("n", dp.transform("pairs", x)))
    metrics = node_metrics(plan.typed, plan.adjacency)
    assert metrics["pairs_1",] == (Edits(1, 1, indexed=False),)
    assert L1(1.0) in metrics["count_1",]


def test_worst_of_equal_parts_is_small() -> None:
    """Fifty parts that cost alike: a few alternatives, not two and a half thousand."""

    def program(x: Handle) -> Handle:
        points = dp.constant(np.arange(100.0).reshape(50, 2))
        parts = dp.transform("partition_nearest", x, points, centres=50)
        return state(
            *(dp.release(f"g{i}", dp.gaussian(noise_multiplier=3.0), dp.count(p)) for i, p in enumerate(parts))
        )

    plan = planned(program)
    assert plan.loss.rho == pytest.approx(2 * 0.5 / 9)
    assert len(plan.loss.events) == 1


def test_pairs_of_parts_that_cost_the_same_are_composed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For k clusters all pairs took minutes."""
    made: list[tuple[Loss, ...]] = []
    monkeypatch.setattr(composition, "compose", lambda *losses: made.append(losses) or compose(*losses))
    costs = {REPLACE_ONE: 1.5, REMOVE: 1.0, ADD: 1.0}

    def part(index: int, edits: Edits) -> Loss:
        return Loss.of(Pure(costs[edits] + (index == 7)))

    found = composition.allocate("rule_partition", 200, part, REPLACE_ONE, rate=None)
    assert found.epsilon == 3.0
    assert len(made) == 3


def test_losses_used_here() -> None:
    assert worst(Loss.of(Gaussian(1.0)), Loss.of(Gaussian(2.0))) == Loss.of(Gaussian(2.0))
    assert rho_pure(1.0) == pytest.approx(Pure(1.0).rho)
