"""What is private stays so: sources, taint, and operations of others that disguise themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import attrs
import pytest

import dpframe as dp
import tests.declared  # noqa: F401  registers the mechanism "declared"
from dpframe.front.program import Handle
from dpframe.kernel.operations import PARAM, ROWS, VALUE, Mechanism, Query, Slot, Statistic, Transform
from dpframe.kernel.post_processing import Post
from dpframe.planning.graph import Graph, Node
from dpframe.proof.spaces import Counts, Domain, Kind, ListOf, Record, Rows, Vector
from dpframe.proof.typed import Input, Ref
from tests.papers.skeletons.stubs import ball, flag, state, stub
from tests.planning.graphs import COUNT, HERE, OUT, TABLE, graph, node, price, refused


def leak(x: Handle) -> Handle:
    return dp.mean(dp.clip(x, ball(2)))


@attrs.frozen
class Peeking(Post):
    """A plugin's post node whose slot asks for a private value."""

    slots: ClassVar[tuple[Slot, ...]] = (Slot("rows", (Kind.PRIVATE, *PARAM)),)

    def output(self, *inputs: Domain) -> Domain:
        return Record("peek")


@attrs.frozen
class Disguised(Query):
    """A query that calls itself a mechanism, so that its value would be released at no cost."""

    kind: ClassVar[str] = "mechanism"
    theorem: ClassVar[str] = "lipschitz_scores"
    slots: ClassVar[tuple[Slot, ...]] = (VALUE,)

    def output(self, *inputs: Domain) -> Domain:
        return Counts(1)


@attrs.frozen
class Mine(Statistic):
    """A plugin's own statistic that cites the theorem of the kernel's sum."""

    theorem: ClassVar[str] = "bounded_sum"
    slots: ClassVar[tuple[Slot, ...]] = (ROWS,)

    def output(self, *inputs: Domain) -> Domain:
        return Vector(2)


@attrs.frozen
class Twofold(Mechanism):
    """A mechanism with two private inputs, of which one would never be priced."""

    theorem: ClassVar[str] = "laplace_mechanism"
    slots: ClassVar[tuple[Slot, ...]] = (VALUE, VALUE)

    def output(self, *inputs: Domain) -> Domain:
        return Counts(1)


@attrs.frozen
class Bodied(Transform):
    """A transform that holds a body."""

    theorem: ClassVar[str] = "row_map"
    bodies: ClassVar[tuple[str, ...]] = ("body",)
    slots: ClassVar[tuple[Slot, ...]] = (ROWS,)


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operations that a plugin may register, for one test only."""
    from dpframe.kernel import registry

    registry.discover()
    monkeypatch.setattr(registry, "_operations", dict(registry.operations()))
    for name, cls in (
        ("peek", Peeking),
        ("disguised", Disguised),
        ("mine", Mine),
        ("twofold", Twofold),
        ("bodied", Bodied),
    ):
        dp.register(name)(cls)


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(
    ("what", "message"),
    [
        (leak, r"output 'mean_1' is the private value 'mean_1'.*release it through a mechanism"),
        (
            lambda x: {"a": dp.release("c", dp.laplace(share=1.0), dp.count(x)), "b": x},
            r"output 'b' is the private value 'x'",
        ),
        (
            lambda x: stub(Record("r"), leak(x)),
            r"node 'skeleton.released_2': input 'inputs' takes a released or public value; 'mean_1' is private",
        ),
        (lambda x: dp.clip(x, leak(x)), r"input 'ball' takes a released or public value; 'mean_1' is private"),
        (lambda x: dp.clip(ball(2), ball(2)), r"input 'rows' takes a private value; .* is (public|released)"),
        (lambda x: dp.release("m", dp.laplace(share=1.0), stub(Counts(1))), r"input 'value' takes a private value"),
        (
            lambda x: dp.branch("b", flag(), dp.count, dp.count, x),
            r"output 'count_1' is the private value",
        ),
        (
            lambda x: dp.for_each("f", stub(ListOf(Record("i"), 2)), lambda i, r: r, x, share=1.0, max_length=2),
            r"output 'r' is the private value",
        ),
        (lambda x: dp.transform("peek", x), r"node 'peek_1': a post node sees released and public values only"),
        (
            lambda x: dp.transform("disguised", dp.count(x)),
            r"node 'disguised_1': operation 'disguised' calls itself a mechanism",
        ),
        (
            lambda x: dp.transform("mine", dp.clip(x, ball(2))),
            r"operation 'mine' is declared beside no theorem",
        ),
        (
            lambda x: dp.apply("t", dp.build("twofold", {"share": 1.0}), dp.count(x), dp.count(x)),
            r"operation 'twofold' is declared beside no theorem",
        ),
        (lambda x: dp.transform("bodied", x), r"operation 'bodied' is declared beside no theorem"),
    ],
)
def test_3_taint(what: Callable[[Handle], Any], message: str) -> None:
    refused(what, message)


def test_3_an_operation_is_what_its_name_is_registered_for() -> None:
    fake = type("Sum", (Mine,), {"name": "sum", "__doc__": "A statistic under the name of the kernel's."})
    with pytest.raises(dp.PlanError, match=r"node 's': operation 'sum' is not registered"):
        price(graph(Node("s", fake(), (Ref("x"),)), node("out", "gaussian", "s", share=1.0)))


def test_3_values_of_two_parts_are_not_combined() -> None:
    refused(
        lambda x: dp.transform("minimum", *(dp.count(p) for p in dp.transform("filter_ball", x, ball(2)))),
        r"node 'minimum_1': private inputs come from different parts",
    )
    refused(
        lambda x: dp.branch(
            "b", flag(), lambda p, q: state(), lambda p, q: state(), *dp.transform("filter_ball", x, ball(2))
        ),
        r"node 'b': captured private values come from different parts",
    )
    refused(
        lambda x: dp.transform("minimum", dp.count(x), dp.count(dp.transform("filter_ball", x, ball(2))[0])),
        r"private inputs come from different parts",
    )


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ((Input("x", Kind.PRIVATE, Rows(2, "unit_ball"), 1000),), r"input 'x' is .*nothing has bounded yet"),
        ((Input("x", Kind.PRIVATE, Counts(2), 1000),), r"input 'x' is Counts"),
        (
            (Input("x", Kind.RELEASED, Rows(2), 1000), Input("y", Kind.PRIVATE, Rows(2), 5)),
            r"can't be released already|takes a private",
        ),
        ((Input("x", Kind.PUBLIC, Rows(2), 1000),), r"takes a private value|no private table"),
        ((TABLE, Input("y", Kind.PRIVATE, Rows(2), 1000)), r"2 private tables: x, y.*join them into one table"),
        (
            (Input("x", Kind.PRIVATE, Rows(2), None),),
            r"input 'x': under replace_one the number of rows is public.*declare n",
        ),
        ((Input("x", Kind.PRIVATE, Rows(2), 0),), r"n must be a whole number >= 1"),
    ],
)
def test_3_sources(inputs: tuple[Input, ...], message: str) -> None:
    refused(graph(COUNT, OUT, inputs=inputs), message)


def test_3_nothing_private_is_refused() -> None:
    what = Graph((Input("x", Kind.PUBLIC, Rows(2), 5),), (HERE,), (("here", Ref("here")),))
    refused(what, r"the graph has no private table")
