"""The ten static checks, each by graphs that must be refused; the message names the node and ends with the fix."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

import attrs
import pytest

import dpframe as dp
import tests.declared  # noqa: F401  registers the mechanism "declared"
from dpframe.front.program import Handle
from dpframe.kernel.operations import PARAM, ROWS, VALUE, Mechanism, Post, Query, Slot, Statistic, Transform
from dpframe.planning.graph import Graph, Node
from dpframe.planning.plan import make_plan
from dpframe.proof.losses import Budget
from dpframe.proof.spaces import Counts, Domain, Edits, Flag, Kind, ListOf, Record, Rows, Vector
from dpframe.proof.typed import Edge, Input, Ref
from tests.papers.skeletons.stubs import ball, balls, flag, planned, state, stub

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
TABLE = Input("x", Kind.PRIVATE, Rows(2), 1000)


def node(name: str, operation: str, inputs: str | tuple[str, ...] = (), bodies: Any = (), **parameters: Any) -> Node:
    refs = tuple(Ref.parse(i) for i in ((inputs,) if isinstance(inputs, str) else inputs))
    return Node(name, dp.build(operation, parameters), refs, tuple(bodies))


def graph(*nodes: Node, outputs: tuple[str, ...] = ("out",), inputs: tuple[Input, ...] = (TABLE,)) -> Graph:
    return Graph(inputs, nodes, tuple((name.replace("[", "_").replace("]", ""), Ref.parse(name)) for name in outputs))


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
        (graph(COUNT, node("out", "laplace", "m", share=1.0)), r"node 'out' reads 'm', which does not exist"),
        (graph(COUNT, OUT, outputs=("other",)), r"output 'other' names 'other', which does not exist"),
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


# ------------------------------------------------------------------------------------- 3 taint


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
            lambda x: dp.release("c", dp.laplace(share=1.0), dp.count(dp.transform("filter_ball", x, ball(2))[0])),
            {"adjacency": Edits(2, 2)},
            r"node 'filter_ball_1'.*single-row edits only, not Edits\(removed=2, added=2\).*use replace_one",
        ),
        (
            lambda x: dp.release(
                "h", dp.stable_histogram(share=1.0, delta_fraction=0.1), dp.transform("cells", x, state(), levels=1)
            ),
            {"adjacency": Edits(3, 3)},
            r"node 'h'.*fills with at most one row",
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


# ------------------------------------------------- 6 where noise goes, never how much privacy costs


def noisy(x: Handle) -> Handle:
    return dp.release("n", dp.laplace(share=1.0), dp.count(x))


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


# -------------------------------------------------------------------------------- 7 control flow


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


# ------------------------------------------------------------------------------ 8 and 9 totals


def test_8_the_tightest_accountant_is_named() -> None:
    gaussians = planned(lambda x: dp.release("g", dp.gaussian(share=1.0), dp.count(x)), budget=BUDGET)
    assert gaussians.verdict.accountant == "gdp"
    laplace = planned(noisy, budget=BUDGET)
    assert laplace.verdict.accountant in ("basic", "rdp", "pld")
    both = planned(
        lambda x: state(noisy(x), *(dp.release(f"g{i}", dp.gaussian(share=1.0), dp.count(x)) for i in range(3))),
        budget=BUDGET,
    )
    assert both.verdict.accountant == "pld"
    assert planned(noisy, budget=dp.zcdp(rho=0.1)).verdict.accountant == "zcdp"
    assert planned(noisy, budget=dp.pure_dp(epsilon=0.1)).verdict.accountant == "basic"
    assert (
        planned(
            lambda x: dp.release("g", dp.gaussian(share=1.0), dp.count(x)), budget=dp.gdp(mu=1.0)
        ).verdict.accountant
        == "gdp"
    )


@pytest.mark.parametrize("budget", [None, 1.0, {"epsilon": 1.0}, "epsilon=1"])
def test_9_a_budget_has_no_default(budget: Any) -> None:
    refused(graph(COUNT, OUT), r"a budget is needed", budget=budget)


@pytest.mark.parametrize("adjacency", ["replace", "", "bounded"])
def test_9_an_adjacency_has_no_default(adjacency: str) -> None:
    refused(graph(COUNT, OUT), r"unknown adjacency .*use one of add_remove, replace_one", adjacency=adjacency)


def fixed(*multipliers: float) -> Callable[[Handle], Handle]:
    return lambda x: state(
        *(dp.release(f"c{i}", dp.gaussian(noise_multiplier=m), dp.count(x)) for i, m in enumerate(multipliers))
    )


def test_9_a_refusal_names_the_dearest_node_and_a_change_that_fits() -> None:
    refused(
        fixed(50.0, 0.5, 20.0),
        r"its dearest node is 'c1', at μ=2.*raise epsilon to 11\.\d+, or raise the noise_multiplier of 'c1' from 0\.5",
    )
    with pytest.raises(dp.BudgetError) as caught:
        planned(fixed(50.0, 0.5, 20.0), budget=BUDGET)
    epsilon, multiplier = (
        float(re.findall(pattern, str(caught.value))[0]) for pattern in (r"n to ([\d.]+)", r"5 to ([\d.]+)")
    )
    assert planned(fixed(50.0, multiplier, 20.0), budget=BUDGET).verdict.holds
    assert planned(fixed(50.0, 0.5, 20.0), budget=dp.approx_dp(epsilon=epsilon, delta=1e-6)).verdict.holds
    refused(fixed(50.0, multiplier * 0.99, 20.0), r"dearest node is 'c1'")  # and it is the smallest


def test_9_where_no_change_of_one_node_fits() -> None:
    refused(fixed(0.5, 0.5), r"noise_multiplier of 'c[01]' from 0\.5 and that of others")


def test_9_delta_is_spent_by_thresholds() -> None:
    def program(x: Handle) -> Handle:
        mechanism = dp.stable_histogram(share=1.0, delta_fraction=0.4)
        return state(*(dp.release(f"h{i}", mechanism, dp.transform("cells", x, state(), levels=1)) for i in range(3)))

    refused(
        program,
        r"its mechanisms alone take δ=1\.2e-06.*divide the delta_fraction of 'h0' and its like by more than 1\.2",
    )
    refused(program, r"node 'h0' spends a part of δ, and this budget has none", budget=dp.zcdp(rho=1.0))


# --------------------------------------------------------------------------------- 10 warnings


def test_10_assumptions_that_the_parameters_violate_are_warnings() -> None:
    plan = planned(
        lambda x: dp.release("s", dp.build("declared", {"cites": "Thm 5.8", "share": 1.0}), x), budget=BUDGET
    )
    assert any("node 's': is a stub for Thm 5.8" in warning for warning in plan.warnings)
    assert plan.warnings == tuple(plan.to_json()["warnings"])
    assert not planned(noisy, budget=BUDGET).warnings


def test_edges_and_budgets_are_values() -> None:
    assert Edge(Kind.PUBLIC, Rows(2)) == Edge(Kind.PUBLIC, Rows(2))
    assert isinstance(BUDGET, Budget)
