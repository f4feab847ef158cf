"""Small graphs made by hand, and what the tests of the planner's static checks ask of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import dpframe as dp
import tests.declared  # noqa: F401  registers the mechanism "declared"
from dpframe.front.program import Handle
from dpframe.planning.graph import Graph, Node, parse_ref
from dpframe.planning.plan import make_plan
from dpframe.proof.spaces import Kind, Rows
from dpframe.proof.typed import Input
from tests.papers.skeletons.stubs import planned

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
TABLE = Input("x", Kind.PRIVATE, Rows(2), 1000)


def node(name: str, operation: str, inputs: str | tuple[str, ...] = (), bodies: Any = (), **parameters: Any) -> Node:
    refs = tuple(parse_ref(i) for i in ((inputs,) if isinstance(inputs, str) else inputs))
    return Node(name, dp.build(operation, parameters), refs, tuple(bodies))


def graph(*nodes: Node, outputs: tuple[str, ...] = ("out",), inputs: tuple[Input, ...] = (TABLE,)) -> Graph:
    return Graph(inputs, nodes, tuple((name.replace("[", "_").replace("]", ""), parse_ref(name)) for name in outputs))


COUNT = node("n", "count", "x")
OUT = node("out", "laplace", "n", share=1.0)
HERE = node("here", "ball", centre=[0.0, 0.0], radius=1.0)
PARTS = node("parts", "filter_ball", ("x", "here"))


def price(what: Graph, *, adjacency: Any = dp.REPLACE_ONE, budget: Any = BUDGET) -> Any:
    return make_plan(what, adjacency=adjacency, budget=budget)


def refused(what: Graph | Callable[[Handle], Any], message: str, *, fix: bool = True, **how: Any) -> None:
    plan: Callable[..., Any] = price if isinstance(what, Graph) else planned
    with pytest.raises(dp.DpframeError, match=message) as caught:
        plan(what, **{"budget": BUDGET, **how})
    assert not fix or f"Fix: {caught.value.fix}" in str(caught.value)


# ------------------------------------------------- 6 where noise goes, never how much privacy costs


def noisy(x: Handle) -> Handle:
    return dp.release("n", dp.laplace(share=1.0), dp.count(x))
