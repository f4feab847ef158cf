"""The ten static checks, each by graphs that must be refused; the message names the node and ends with the fix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dpframe as dp
import tests.declared  # noqa: F401  registers the mechanism "declared"
from dpframe.front.program import Handle
from dpframe.planning.graph import Graph
from dpframe.proof.spaces import Edits, Flag, Kind, ListOf, Record, Rows
from dpframe.proof.typed import Input, Ref
from tests.papers.skeletons.stubs import ball, balls, flag, planned, state, stub
from tests.planning.graphs import COUNT, HERE, OUT, PARTS, graph, node, noisy, price, refused


def test_a_graph_made_by_hand_is_priced_like_a_program() -> None:
    assert price(graph(COUNT, OUT)).verdict.holds
    assert price(graph(OUT, COUNT)).graph.nodes[0].name == "n"  # put in order


# ------------------------------------------------------------------- 1 names and acyclicity


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (graph(COUNT, COUNT, OUT), r"two nodes are named 'n'"),
        (graph(node("x", "count", "x"), OUT), r"two nodes are named 'x'"),
        (graph(node("n[0]", "count", "x"), OUT), r"'n\[0\]' is no name of a node"),
        (graph(node("a/b", "count", "x"), OUT), r"'a/b' is no name of a node"),
        (graph(node("", "count", "x"), OUT), r"'' is no name of a node"),
        (graph(COUNT, node("out", "laplace", "m", share=1.0)), r"node 'out': unknown reference 'm'"),
        (graph(COUNT, OUT, outputs=("other",)), r"output 'other': unknown reference 'other'"),
        (graph(COUNT, OUT, outputs=("out", "out")), r"two outputs are named 'out'"),
        (graph(COUNT, OUT, outputs=()), r"the graph has no output"),
        (
            graph(
                node("a", "minimum", ("b", "n")),
                node("b", "maximum", ("a", "n")),
                COUNT,
                node("out", "laplace", "a", share=1.0),
            ),
            r"the graph has a cycle: .*'?a'? -> .*use recurse or worklist|cycle",
        ),
        (graph(HERE, PARTS, node("n", "count", "parts"), OUT), r"node 'n' reads 'parts'.*parts\[0\], parts\[1\]"),
        (graph(HERE, PARTS, node("n", "count", "parts[2]"), OUT), r"node 'n' reads 'parts\[2\]'.*parts\[0\]"),
        (graph(node("n", "count", "x[0]"), OUT), r"node 'n' reads 'x\[0\]'"),
    ],
)
def test_1_names_and_acyclicity(what: Graph, message: str) -> None:
    refused(what, message)


def test_1_names_in_bodies_too() -> None:
    inner = Graph(
        (Input("t", Kind.RELEASED, Flag()), Input("rows", Kind.PRIVATE, Rows(2))),
        (
            node("c", "count", "rows"),
            node("c", "count", "rows"),
            node("o", "laplace", "c", share=1.0),
        ),
        (("o", Ref("o")),),
    )
    what = graph(
        COUNT,
        node("test", "truncated_laplace_test", "n", share=1.0, threshold=5.0, delta_fraction=0.1),
        node("out", "branch", ("test", "test", "x"), [("then", inner), ("otherwise", inner)]),
    )
    refused(what, r"two nodes are named 'c'")


# --------------------------------------------------------------------------- 2 domains match


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            lambda x: dp.clip(x, dp.ball(centre=[0.0] * 3, radius=1.0)),
            r"node 'clip_1': clip_ball takes inputs of one dimension, these have 2 and 3",
        ),
        (lambda x: dp.clip(x, dp.constant([0.0, 0.0])), r"node 'clip_1': clip_ball takes Ball, not Vector"),
        (lambda x: dp.release("g", dp.gaussian(share=1.0), x), r"node 'g': gaussian takes Vector or"),
        (
            lambda x: dp.release("h", dp.stable_histogram(share=1.0, delta_fraction=0.1), dp.count(x)),
            r"node 'h': stable_histogram takes SparseCounts",
        ),
        (lambda x: dp.count(dp.count(x)), r"node 'count_2': count takes Rows"),
        (lambda x: dp.transform("count", x, x), r"node 'count_1': count takes inputs \(rows\), not 2"),
        (
            lambda x: dp.transform("clip_ball", x),
            r"node 'clip_ball_1': clip_ball takes inputs \(rows, ball\), not 1",
        ),
        (
            lambda x: dp.clip(dp.clip(x, ball(2)), ball(2)),
            r"node 'clip_2': clip_ball takes rows in the units of the table",
        ),
        (
            lambda x: dp.gram(dp.clip_box(x, ball(2))),
            r"gram takes rows of the unit_ball, these are bounded as unit_box",
        ),
        (lambda x: dp.transform("ball_counts", x, balls(2, 5), size=4), r"has room for 4 balls, and up to 5"),
        (
            lambda x: dp.transform("partition_nearest", x, dp.constant([[0.0, 0.0]]), centres=2),
            r"points of shape \(2, 2\), not \(1, 2\)",
        ),
        (
            lambda x: dp.for_each("f", ball(2), lambda i, r: i, x, share=1.0, max_length=3),
            r"for_each takes a released list, not Ball",
        ),
        (
            lambda x: dp.branch("b", ball(2), lambda r: state(), lambda r: state(), x),
            r"node 'b': branch takes the outcome of a released test as test, not Ball",
        ),
        (
            lambda x: dp.branch("b", flag(), lambda r: state(), lambda r: ball(2), x),
            r"node 'b': branch has bodies that release different domains",
        ),
        (
            lambda x: dp.branch("b", flag(), lambda r: {"a": state(), "b": state()}, lambda r: state(), x),
            r"takes a body 'then' that releases one value, not",
        ),
        (lambda x: dp.branch("b", flag(), state, lambda r: state(), x), r"takes 0 arguments, is given 1"),
    ],
)
def test_2_domains_and_shapes(program: Callable[[Handle], Any], message: str) -> None:
    refused(program, message)


# --------------------------------------------------------------------- 4 bounded statistics


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            dp.sum,
            r"node 'sum_1': sum takes rows of the unit_ball, these are unbounded.*put dp.clip\(rows, ball\) before it",
        ),
        (dp.mean, r"node 'mean_1': mean takes rows of the unit_ball, these are unbounded"),
        (dp.gram, r"node 'gram_1': gram takes rows of the unit_ball"),
        (dp.square_sum, r"node 'square_sum_1': square_sum takes rows of the unit_ball"),
        (lambda x: dp.transform("box_sum", x), r"box_sum takes rows of the unit_box, these are unbounded.*dp.clip_box"),
        (lambda x: dp.transform("box_sum", dp.clip(x, ball(2))), r"these are bounded as unit_ball"),
        (lambda x: dp.sum(dp.transform("pairs", x)), r"sum takes rows of the unit_ball, these are unbounded"),
        (lambda x: dp.transform("weighted_sums", x), r"weighted_sums takes WeightedRows, not Rows"),
    ],
)
def test_4_every_sum_is_bounded_by_a_clip(program: Callable[[Handle], Any], message: str) -> None:
    refused(program, message)


# ------------------------------------------------------------------------- 5 edits to sensitivity


@pytest.mark.parametrize(
    ("program", "how", "message"),
    [
        (
            lambda x: dp.release("s", dp.laplace(share=1.0), dp.sum(dp.clip(x, ball(2)))),
            {},
            r"node 's'.*bound in L1, has: L2",
        ),
        (
            lambda x: dp.release("s", dp.exponential_mechanism(share=1.0), dp.transform("weighted_counts", x)),
            {},
            r"takes WeightedRows",
        ),
        (
            lambda x: dp.release("c", dp.laplace(share=1.0), dp.count(dp.transform("secret_split", x, count=2)[0])),
            {"adjacency": Edits(2, 2)},
            r"node 'secret_split_1'.*single-row edits only, not Edits\(removed=2, added=2\).*use replace_one",
        ),
        (
            lambda x: dp.release("c", dp.laplace(share=1.0), dp.count(dp.transform("filter_ball", x, ball(2))[0])),
            {"adjacency": Edits(30, 30)},
            r"node 'filter_ball_1'.*too many ways to price.*smaller unit_rows",
        ),
        (
            lambda x: dp.release("s", dp.build("declared", {"cites": "a paper", "share": 1.0}), x),
            {"adjacency": Edits(2, 0), "n": None},
            r"node 's'.*single-row edits only",
        ),
    ],
)
def test_5_edits_are_honoured_or_refused(program: Callable[[Handle], Any], how: dict[str, Any], message: str) -> None:
    refused(program, message, **how)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            lambda x: dp.gaussian(share=noisy(x)),
            r"share must be a number, not Handle: a released value may set where noise goes.*give share as a number",
        ),
        (lambda x: dp.gaussian(noise_multiplier=noisy(x)), r"noise_multiplier must be a number, not Handle"),
        (lambda x: dp.laplace(noise_multiplier=True), r"noise_multiplier must be a number, not bool"),
        (lambda x: dp.gaussian(share=float("nan")), r"share must be positive and finite"),
        (lambda x: dp.gaussian(share=-1.0), r"share must be positive and finite"),
        (lambda x: dp.gaussian(), r"mechanism 'gaussian' takes exactly one of share and noise_multiplier"),
        (lambda x: dp.gaussian(share=1.0, noise_multiplier=1.0), r"exactly one of share and noise_multiplier"),
        (
            lambda x: dp.stable_histogram(share=1.0, delta_fraction=noisy(x)),
            r"delta_fraction must be a number between 0 and 1",
        ),
        (
            lambda x: dp.truncated_laplace_test(share=1.0, threshold=noisy(x), delta_fraction=0.1),
            r"threshold must be a finite number",
        ),
        (lambda x: dp.transform("subsample", x, rate=noisy(x)), r"rate must be a number"),
        (
            lambda x: dp.for_each("f", stub(ListOf(Record("i"), 2)), lambda i: i, share=noisy(x), max_length=2),
            r"share must be a positive finite number.*a released value never sets how much a loop costs",
        ),
        (
            lambda x: dp.for_each("f", stub(ListOf(Record("i"), 2)), lambda i: i, share=1.0, max_length=noisy(x)),
            r"max_length must be a whole number",
        ),
        (
            lambda x: dp.build("declared", {"cites": "x", "share": 1.0, "replace": noisy(x)}),
            r"replace must be a positive finite number",
        ),
        (
            lambda x: dp.recurse("r", x, state(), lambda r, s: s, lambda r, s: s, max_depth=noisy(x), max_leaves=2),
            r"max_depth must be a whole number",
        ),
    ],
)
def test_6_a_released_value_never_sets_a_loss(program: Callable[[Handle], Any], message: str) -> None:
    refused(program, message)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda x: dp.clip(x, dp.ball(centre=[0.0] * 3, radius=1.0)), "Fix: give both as many columns"),
        (lambda x: dp.count(dp.split(x, count=2)), "Fix: give one of these parts, as parts[0]"),
        (lambda x: dp.count(ball(2)), "Fix: give the private table, or a part of it"),
        (lambda x: dp.bin_counts(x, edges=[0.0], column=2), "Fix: count columns from 0, the last is 1"),
        (
            lambda x: dp.count(dp.split(dp.filter_ball(x, ball(2))[0], count=2)[0]),
            "cuts by row index, which neighbours (1 out, 0 in) do not keep",
        ),
    ],
)
def test_a_refusal_says_what_to_do(program: Any, words: str) -> None:
    with pytest.raises(dp.PlanError) as caught:
        planned(lambda x: dp.release("out", dp.laplace(share=1.0), program(x)), budget=dp.pure_dp(1.0))
    assert words in str(caught.value)
