"""What the cases of refused programs are made of."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe import plugin
from dpframe.kernel import registry
from dpframe.kernel.operations import PARAM, VALUE, Query, Slot
from dpframe.kernel.post_processing import Post
from dpframe.planning.graph import Graph, Node
from dpframe.planning.plan import make_plan
from dpframe.proof.spaces import Ball, Counts, Domain, Flag, Kind, ListOf, Record, Rows
from dpframe.proof.typed import Input, Ref
from tests.papers.skeletons.stubs import ball, flag, planned, state, stub
from tests.planning.graphs import OUT, graph, node
from tests.planning.reductions import selecting

Case = tuple[str, Callable[[], Any], Callable[[], Any]]
BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
QUICK = dp.zcdp(rho=1.0)
ITEMS = ListOf(Ball(2), 3)
ZEROS = np.zeros((1000, 2))


def make(what: Graph, **how: Any) -> Any:
    return make_plan(what, **{"adjacency": dp.REPLACE_ONE, "budget": QUICK, **how})


def g(*nodes: Node, **how: Any) -> Callable[[], Any]:
    """A graph made by hand, planned."""
    return lambda: make(graph(*nodes, **how))


def p(program: Callable[..., Any], **how: Any) -> Callable[[], Any]:
    """A program, planned."""
    return lambda: planned(program, **{"budget": QUICK, **how})


def q(program: Callable[..., Any], **how: Any) -> Callable[[], Any]:
    """With a δ in the budget."""
    return p(program, **{"budget": BUDGET, **how})


def count(x: Any, name: str = "c", kind: str = "laplace", **how: Any) -> Any:
    return dp.apply(name, dp.build(kind, {"share": 1.0, **how} if "noise_multiplier" not in how else how), dp.count(x))


def gaussian(value: Any, name: str = "g", **how: Any) -> Any:
    return dp.apply(name, dp.gaussian(**(how or {"share": 1.0})), value, finish=False)


def cells(x: Any, name: str = "h", fraction: float = 0.1) -> Any:
    value = dp.transform("cells", x, state(), levels=1)
    return dp.apply(name, dp.stable_histogram(share=1.0, delta_fraction=fraction), value)


def split(x: Any, **how: Any) -> Any:
    return dp.transform("filter_ball", x, ball(2), **how)


def fixed(*noise: float) -> Callable[[Any], Any]:
    return lambda x: state(*(count(x, f"c{i}", "gaussian", noise_multiplier=m) for i, m in enumerate(noise)))


def owned(x: Any) -> Any:
    registry.import_file(Path(__file__).parents[1] / "plugins/own/everything.py")
    return dp.release("o", dp.own("every.laplace", m=1, share=1.0), dp.count(x))


def loop(body: Callable[..., Any], **how: Any) -> Callable[[Any], Any]:
    return lambda x: dp.for_each("f", stub(ITEMS), body, x, **{"share": 1.0, "max_length": 3, **how})


def nested(x: Any, inner: str) -> Any:
    def body(item: Any, rows: Any) -> Any:
        return dp.for_each("inner", stub(ITEMS, item), lambda i, r: count(r, kind="gaussian"), rows,
                           share=1.0, max_length=3, view=inner)  # fmt: skip

    return dp.for_each("outer", stub(ITEMS), body, x, share=1.0, max_length=3)


def divide(
    x: Any, name: str = "children", rows_of: Any = None, split_by: Any = None, left: Any = None, out: Any = None
) -> Any:
    def body(rows: Any, here: Any) -> Any:
        if name:
            dp.transform("filter_ball", rows_of(rows) if rows_of else rows, ball(2), name=name)
        found = {"split": split_by or flag(), "left": left() if left else here, "right": here}
        return found if out is None else out

    return dp.recurse("r", x, state(), body, lambda r, s: count(r), max_depth=2, max_leaves=2)


def branch(then: Any, otherwise: Any, *captured: Any, test: Any = None) -> Any:
    return dp.branch("b", flag() if test is None else test, then, otherwise, *captured)


def blocks(x: Any, name: str = "blocks", **how: Any) -> Any:
    made = dp.build("block_learner", {"learner": "test.centre", "t": 100, "item": "vector", "size": [2], **how})
    return dp.apply(name, made, x)


def agree(x: Any, *, tested: int = 0, stand_in: bool = False, theta: float = 0.75, outside: bool = False) -> Any:
    """A selection behind its test, with a choice of faults."""
    learned = [blocks(x, f"blocks_{i}", seed=i) for i in range(2)]
    agreement = dp.transform("agreement", learned[tested], r=0.5, d=2)
    bar = dp.truncated_laplace_test(share=1.0, threshold=theta, delta_fraction=0.25)
    test = dp.release("test", bar, agreement)
    seen = dp.transform(
        "select_block", learned[0], flag() if stand_in else test, r=0.5, d=2, theta=0.625, test_threshold=0.75
    )
    if outside:
        return gaussian(seen)
    return branch(gaussian, lambda v: dp.constant([0.0, 0.0]), seen, test=test)


def body(label: str, outputs: int = 1) -> Graph:
    return Graph(
        (Input("rows", Kind.PRIVATE, Rows(2)),),
        (node("c", "count", "rows"), node("o", "laplace", "c", share=1.0)),
        tuple((f"o{i}", Ref("o")) for i in range(outputs)),
    )


FLAG = Node("flag", dp.build("skeleton.released", {"makes": json.dumps(Flag().to_json())}), ())


def branched(labels: tuple[str, ...], rows: int = 1) -> tuple[Node, ...]:
    made = [(label, body(label)) for label in labels]
    return FLAG, node("out", "branch", ("flag", *("x",) * rows), made)


@attrs.frozen
class Lone(Query):
    """Cites what it may not."""

    theorem = "bounded_sum"
    slots = (VALUE,)

    def output(self, *inputs: Domain) -> Domain:
        return Counts(1)


@attrs.frozen
class Wrong(Query):
    """Calls itself a mechanism."""

    kind = "mechanism"
    theorem = "lipschitz_scores"
    slots = (VALUE,)

    def output(self, *inputs: Domain) -> Domain:
        return Counts(1)


@attrs.frozen
class Impostor(Query):
    """Goes by the name of a kernel operation."""

    name = "count"
    theorem = "lipschitz_scores"
    slots = (VALUE,)


@attrs.frozen
class Odd(Post):
    """Its domain can't be computed."""

    slots = (Slot("value", PARAM),)
    parts: int = 0

    def output(self, *inputs: Domain) -> Domain:
        return Counts(6 // self.parts)


@attrs.frozen
class Peek(Post):
    """A post node whose slot takes private values."""

    slots = (Slot("rows", (Kind.PRIVATE, *PARAM)),)

    def output(self, *inputs: Domain) -> Domain:
        return Record("peek")


PLUGINS = {"advice.lone": Lone, "advice.wrong": Wrong, "advice.peek": Peek, "advice.odd": Odd}


def advised(refused: Callable[[], Any], pattern: str) -> float:
    """The number that a refusal's fix names."""
    try:
        refused()
    except dp.DpframeError as error:
        return float(re.findall(pattern, str(error.fix))[0])
    raise AssertionError("nothing was refused")


def raised(program: Any) -> Any:
    return dp.approx_dp(epsilon=advised(q(program), r"epsilon to ([\d.]+)"), delta=1e-6)


def count_agreement(learned: Any) -> Any:
    return dp.apply("out", dp.laplace(share=1.0), dp.transform("agreement", learned, r=0.5, d=2))


def gram(x: Any, bits: int) -> Any:
    return gaussian(dp.gram(dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=1.0), bits=bits), bits=bits))


def mixed(noise: float) -> Callable[[Any], Any]:
    return lambda x: state(fixed(noise)(x), gram(x, 18))


def scripted(module: str) -> Callable[[], Any]:
    """Blocks of a learner that is defined in a module of this name."""

    def learn(rows: Any, generator: Any) -> Any:
        return (rows.mean(axis=0),)

    def make() -> Any:
        learn.__module__ = module
        registry.discover()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(registry, "_learners", {**registry._learners, "advice.centre": learn})
            return planned(lambda x: count_agreement(blocks(x, learner="advice.centre")), budget=QUICK)

    return make


def viewed(accountant: str) -> Callable[[], Any]:
    def view() -> Any:
        made = planned(lambda x: count(x, kind="gaussian"), budget=QUICK)
        assert made.epsilon(delta=1e-6, accountant=accountant) > 0
        return made

    return view


@functools.cache
def distance(name: str, file: str) -> str:
    """Register a plugin's semimetric from a file, or from what is none."""
    source = f"plugin.semimetric({name!r}, triangle=lambda r: 1.0)(lambda a, b: 0.0)"
    exec(compile(source, file, "exec"), {"plugin": plugin, "__name__": name})
    return name


def compared(name: str, file: str) -> Callable[[], Any]:
    """Blocks that are compared by a plugin's semimetric: no plan that can't be certified runs."""

    def run() -> Any:
        made = planned(
            lambda x: dp.release(
                "v",
                dp.laplace(share=1.0),
                dp.registered_agreement(
                    blocks(x, learner="spectral_2", t=5, size=[1]), semimetric=distance(name, file), r=1.0, d=1
                ),
            ),
            n=len(ZEROS),
            budget=QUICK,
            allow_asserted=True,
        )
        made.run(x=ZEROS, simulate=1)
        return made

    return run


def looked_up(*path: str) -> Callable[[], Any]:
    """The loss of a mechanism of a plan."""

    def look() -> Any:
        made = planned(count, budget=QUICK)
        assert made.node_loss("/".join(path)) is not None
        return made

    return look


def ran(*rows: Any, **tables: Any) -> Callable[[], Any]:
    def run() -> Any:
        made = planned(count, budget=QUICK, n=1000)
        assert made.run(*rows, simulate=1, **tables).status == "released"
        return made

    return run


def impostor() -> Any:
    """A count that cites another theorem than the kernel's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry._operations, "count", Impostor)
        return make(graph(Node("n", Impostor(), (Ref("x"),)), OUT))


def masked(x: Any) -> Any:
    """A mixture mask, whose rounding takes a δ of its own."""
    return selecting.function(x)
