"""Control flow has a static bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dpframe as dp
import tests.declared  # noqa: F401  registers the mechanism "declared"
from dpframe.front.program import Handle
from dpframe.planning.graph import Graph
from dpframe.proof.spaces import Kind, ListOf, Record, Rows
from dpframe.proof.typed import Input, Ref
from tests.papers.skeletons.stubs import ball, flag, planned, state, stub
from tests.planning.graphs import BUDGET, COUNT, OUT, graph, node, refused


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            lambda x: dp.recurse(
                "r",
                x,
                state(),
                lambda r, s: {"split": flag(), "left": s, "right": s},
                lambda r, s: s,
                max_depth=2,
                max_leaves=2,
            ),
            r"node 'r'.*two-part partition by rule named 'children'",
        ),
        (
            lambda x: dp.recurse("r", x, state(), lambda r, s: s, lambda r, s: s, max_depth=2, max_leaves=2),
            r"node 'r': recurse takes a body that releases split, left and right",
        ),
        (
            lambda x: dp.recurse(
                "r",
                x,
                state(),
                lambda r, s: {"split": s, "left": s, "right": s},
                lambda r, s: s,
                max_depth=2,
                max_leaves=2,
            ),
            r"takes the outcome of a released test as split, not Record",
        ),
        (
            lambda x: dp.recurse(
                "r",
                x,
                state(),
                lambda r, s: {"split": flag(), "left": ball(2), "right": s},
                lambda r, s: s,
                max_depth=2,
                max_leaves=2,
            ),
            r"takes a body whose 'left' is a state like its own, Record.*not Ball",
        ),
        (
            lambda x: dp.recurse("r", x, state(), lambda r, s: s, lambda r, s: s, max_depth=0, max_leaves=2),
            r"max_depth must be a whole number >= 1",
        ),
        (
            lambda x: dp.for_each(
                "f", stub(ListOf(Record("i"), 2)), lambda i, r: noisy_fixed(r), x, share=1.0, max_length=2
            ),
            r"node 'f/body/n': a body of for_each takes shares, not noise_multiplier",
        ),
        (
            lambda x: dp.for_each("f", stub(ListOf(Record("i"), 2)), lambda i, r: state(i), x, share=1.0, max_length=2),
            r"node 'f': the body of for_each releases nothing",
        ),
        (
            lambda x: dp.for_each(
                "f",
                stub(ListOf(Record("i"), 2)),
                lambda i, r: dp.release("g", dp.gaussian(share=1.0), dp.count(r)),
                x,
                share=1.0,
                max_length=2,
                view="pure",
            ),
            r"node 'f/body/g'|node 'f'.*no finite loss in the view 'pure'",
        ),
        (
            lambda x: dp.for_each(
                "f", stub(ListOf(Record("i"), 2)), lambda i, r: i, x, share=1.0, max_length=2, view="pld"
            ),
            r"for_each.*view|view",
        ),
        (
            lambda x: dp.for_each("f", x, lambda i: i, share=1.0, max_length=2),
            r"for_each takes a released list|'items' takes a released or public value",
        ),
    ],
)
def test_7_control_flow_has_a_static_bound(program: Callable[[Handle], Any], message: str) -> None:
    refused(program, message, fix=False)


def noisy_fixed(rows: Handle) -> Handle:
    return dp.release("n", dp.laplace(noise_multiplier=1.0), dp.count(rows))


def test_7_bodies_are_those_of_the_operation() -> None:
    body = Graph(
        (Input("rows", Kind.PRIVATE, Rows(2)),),
        (node("c", "count", "rows"), node("o", "laplace", "c", share=1.0)),
        (("o", Ref("o")),),
    )
    refused(graph(node("n", "count", "x", [("body", body)]), OUT), r"node 'n': operation 'count' takes the bodies \(\)")
    test = node("test", "truncated_laplace_test", "n", share=1.0, threshold=5.0, delta_fraction=0.1)
    for labels in (("then",), ("otherwise", "then"), ("then", "otherwise", "then")):
        what = graph(COUNT, test, node("out", "branch", ("test", "x"), [(label, body) for label in labels]))
        refused(what, r"node 'out': operation 'branch' takes the bodies")


def test_7_loops_of_two_views_are_not_nested() -> None:
    items = ListOf(Record("i"), 3)

    def nested(x: Handle, inner: str) -> Handle:
        def body(item: Handle, rows: Handle) -> Handle:
            return dp.for_each(
                "inner",
                stub(items, item),
                lambda i, r: dp.release("g", dp.gaussian(share=1.0), dp.count(r)),
                rows,
                share=1.0,
                max_length=3,
                view=inner,
            )

        return dp.for_each("outer", stub(items), body, x, share=1.0, max_length=3, view="gdp")

    refused(lambda x: nested(x, "zcdp"), r"outer/body/inner.*a loop in view 'zcdp' inside one in view 'gdp'")
    assert planned(lambda x: nested(x, "gdp"), budget=BUDGET).verdict.holds
