"""Programs: a function of handles becomes a graph; what goes wrong is said at the line that wrote it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, get_overloads

import pytest

import dpframe as dp
from dpframe.front import api
from dpframe.front.program import Handle, Program, tracer
from dpframe.proof.spaces import Kind, ListOf, Record, Rows, Vector
from dpframe.proof.typed import Input
from tests.papers.skeletons.stubs import ball, flag, planned, state, stub

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


def trace(function: Callable[..., Any], d: int = 2) -> Any:
    return Program(function).graph([Input("x", Kind.PRIVATE, Rows(d), 100)])


def noisy(rows: Handle, name: str = "n") -> Handle:
    released: Handle = dp.release(name, dp.laplace(share=1.0), dp.count(rows))
    return released


def plain(x: Handle) -> Handle:
    return noisy(x)


def test_verbs_number_their_nodes_and_releases_keep_their_names() -> None:
    def program(x: Handle) -> Handle:
        here = ball(2)
        return state(noisy(dp.clip(x, here), "a"), noisy(dp.clip(x, here), "b"))

    names = [node.name for node in trace(program).nodes]
    assert names == ["skeleton.released_1", "clip_1", "count_1", "a", "clip_2", "count_2", "b", "skeleton.released_2"]


def test_a_released_mean_is_put_back_into_the_units_of_the_table() -> None:
    def program(x: Handle) -> Handle:
        return dp.release("mean", dp.gaussian(share=1.0), dp.mean(dp.clip(x, ball(2))))

    graph = trace(program)
    assert [str(ref) for _, ref in graph.outputs] == ["mean.value"]
    assert [name for name, _ in graph.outputs] == ["mean"]
    last = graph.nodes[-1]
    assert (last.operation.name, [str(r) for r in last.inputs]) == ("mean_of_ball", ["mean", "skeleton.released_1"])
    plan = planned(program, budget=BUDGET)
    assert plan.edges[graph.outputs[0][1]].domain == Vector(2)


@pytest.mark.parametrize(
    ("returned", "names"),
    [
        (lambda a, b: a, ["a"]),
        (lambda a, b: (a, b), ["a", "b"]),
        (lambda a, b: [a], ["a"]),
        (lambda a, b: {"first": a, "second": b}, ["first", "second"]),
    ],
)
def test_outputs_are_named(returned: Callable[..., Any], names: list[str]) -> None:
    graph = trace(lambda x: returned(noisy(x, "a"), noisy(x, "b")))
    assert [name for name, _ in graph.outputs] == names


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (lambda x: None, "a program returns a handle"),
        (lambda x: (), "a program returns a handle"),
        (lambda x: (noisy(x), 3), "a program returns a handle"),
        (lambda x: {"a": 1.0}, "a program returns a handle"),
        (lambda x: [noisy(x, "part")] * 2, "two outputs are named 'part'"),
    ],
)
def test_what_is_no_output(returned: Callable[..., Any], message: str) -> None:
    with pytest.raises(dp.PlanError, match=message) as caught:
        trace(returned)
    assert caught.value.fix


def outside(x: Handle) -> Handle:
    other = noisy(x)
    return dp.branch("b", flag(), lambda rows: state(other), lambda rows: state(), x)


def a_list(x: Handle) -> Handle:
    return dp.clip(x, [0.0, 0.0])  # type: ignore[arg-type]


def in_if(x: Handle) -> Handle:
    return state() if noisy(x) else flag()


def in_for(x: Handle) -> Handle:
    return state(*list(noisy(x)))


def d_of_a_release(x: Handle) -> int:
    return noisy(x).d


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (outside, r"node 'skeleton.released_1' uses 'n' of another graph.*pass it to the body as an argument"),
        (a_list, r"input 'ball' of 'clip_1' is given an array.*a ball as \(centre, radius\)"),
        (in_if, r"'n' has no value while the program is traced, so it can't decide an `if`.*dp.branch"),
        (in_for, r"'n' has no value while the program is traced, so it can't be looped over.*dp.for_each"),
        (d_of_a_release, r"n is Counts\(m=1\), not rows"),
        (lambda x: dp.release("n", dp.count(x), x), r"release 'n' needs a mechanism or a composite, not Handle"),
        (lambda x: noisy(x, "n") and noisy(x, "n"), r"'n' has no value"),
        (lambda x: state(noisy(x, "n"), noisy(x, "n")), r"two nodes are named 'n'.*numbered: count_1"),
        (lambda x: noisy(x, "a b"), r"'a b' is no name of a node"),
    ],
)
def test_mistakes_are_named_where_they_are_made(program: Callable[[Handle], Any], message: str) -> None:
    with pytest.raises(dp.PlanError, match=message) as caught:
        planned(program, budget=BUDGET)
    assert caught.value.fix


def test_verbs_need_a_program() -> None:
    with pytest.raises(dp.PlanError, match="no program is being traced"):
        dp.ball(centre=[0.0], radius=1.0)
    with pytest.raises(dp.PlanError, match="no program is being traced"):
        tracer()


def test_a_failed_trace_leaves_no_tracer_behind() -> None:
    with pytest.raises(ZeroDivisionError):
        trace(lambda x: 1 // 0)
    with pytest.raises(dp.PlanError, match="no program is being traced"):
        tracer()


def test_composites_prefix_their_nodes() -> None:
    @dp.composite("test_program.twice")
    def twice(x: Handle, *, share: float) -> Handle:
        def count(name: str) -> Handle:
            return dp.release(name, dp.laplace(share=share), dp.count(x))

        return state(count("first"), count("second"))

    graph = trace(lambda x: dp.release("pair", dp.recipe("test_program.twice", share=0.5), x))
    names = [node.name for node in graph.nodes]
    assert names == ["pair.count_1", "pair.first", "pair.count_2", "pair.second", "pair.skeleton.released_1"]
    assert [name for name, _ in graph.outputs] == ["pair"]
    with pytest.raises(
        dp.SpecError, match=r"unknown composite 'test_program.twise'.*did you mean 'test_program.twice'"
    ):
        trace(lambda x: dp.release("pair", dp.recipe("test_program.twise"), x))
    with pytest.raises(dp.PlanError, match=r"composite 'test_program.twice'.*it takes x, "):
        trace(lambda x: dp.release("pair", dp.recipe("test_program.twice", shares=0.5), x))


def test_parts_are_a_list_of_handles() -> None:
    def program(x: Handle) -> Handle:
        parts = dp.transform("split", x, count=3, name="thirds")
        assert [str(p.ref) for p in parts] == ["thirds[0]", "thirds[1]", "thirds[2]"]
        return noisy(parts[2])

    assert str(trace(program).nodes[1].inputs[0]) == "thirds[2]"


def test_bodies_are_functions_of_what_they_capture() -> None:
    def program(x: Handle) -> Handle:
        items = stub(ListOf(Record("item"), 5))

        def body(item: Handle, rows: Handle, here: Handle) -> Handle:
            assert item.domain == Record("item")
            assert (rows.d, rows.edge.kind, here.edge.kind) == (2, Kind.PRIVATE, Kind.RELEASED)
            return noisy(dp.clip(rows, here))

        return dp.for_each("loop", items, body, x, ball(2, noisy(x, "m")), share=1.0, max_length=5)

    graph = trace(program)
    (loop,) = [n for n in graph.nodes if n.name == "loop"]
    assert [label for label, _ in loop.bodies] == ["body"]
    assert [i.name for i in loop.bodies[0][1].inputs] == ["item", "rows", "here"]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({}, r"takes the tables \['x'\], but \[\] are declared. Fix: give x=dp.rows\(n=..., d=...\), and no others"),
        ({"y": dp.rows(d=2, n=5)}, r"the program takes the tables \['x'\], but \['y'\] are declared"),
        ({"x": dp.rows(d=2, n=5), "y": dp.rows(d=2, n=5)}, r"but \['x', 'y'\] are declared"),
    ],
)
def test_every_argument_is_declared_once(tables: dict[str, Any], message: str) -> None:
    with pytest.raises(dp.PlanError, match=message):
        dp.plan(dp.program(plain), adjacency=dp.REPLACE_ONE, budget=BUDGET, **tables)


def test_two_private_tables_are_refused_and_a_public_one_is_not() -> None:
    @dp.program
    def two(x: Handle, y: Handle) -> Handle:
        return noisy(x)

    with pytest.raises(dp.PlanError, match="2 private tables: x, y"):
        dp.plan(two, x=dp.rows(d=2, n=5), y=dp.rows(d=2, n=5), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    plan = dp.plan(two, x=dp.rows(d=2, n=5), y=dp.public_rows(d=2, n=5), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    assert plan.verdict.holds


def test_a_public_table_costs_nothing_and_a_private_one_is_no_parameter() -> None:
    @dp.program
    def free(x: Handle, y: Handle) -> Handle:
        return state(noisy(x), stub(Record("fit"), y))

    plan = dp.plan(free, x=dp.rows(d=2, n=5), y=dp.public_rows(d=3), adjacency=dp.REPLACE_ONE, budget=BUDGET)
    assert len(plan.loss.events) == 1

    @dp.program
    def swapped(x: Handle, y: Handle) -> Handle:
        return noisy(y)

    with pytest.raises(dp.PlanError, match=r"input 'rows'|takes a private value|count takes"):
        dp.plan(swapped, x=dp.rows(d=2, n=5), y=dp.public_rows(d=3), adjacency=dp.REPLACE_ONE, budget=BUDGET)


def test_a_graph_declares_its_own_tables() -> None:
    graph = trace(noisy)
    assert dp.plan(graph, adjacency=dp.REPLACE_ONE, budget=BUDGET).verdict.holds
    with pytest.raises(dp.PlanError, match="a graph declares its own inputs"):
        dp.plan(graph, adjacency=dp.REPLACE_ONE, budget=BUDGET, x=dp.rows(d=2, n=5))


@pytest.mark.parametrize("missing", ["adjacency", "budget"])
def test_nothing_private_has_a_default(missing: str) -> None:
    how = {"adjacency": dp.REPLACE_ONE, "budget": BUDGET, "x": dp.rows(d=2, n=5)}
    del how[missing]
    with pytest.raises(TypeError, match=missing):
        dp.plan(dp.program(plain), **how)  # type: ignore[arg-type]


def test_any_callable_is_a_program_and_defaults_are_not_tables() -> None:
    """A partial function, a method, and a loop variable bound as a default."""

    class Counter:
        def count(self, x: Handle) -> Handle:
            return counted(x, 1.0)

    def counted(x: Handle, scale: float = 2.0) -> Handle:
        made: Handle = dp.release("count", dp.laplace(noise_multiplier=scale), dp.count(x))
        return made

    made = [functools.partial(counted, scale=3.0), Counter().count, counted, lambda x, scale=5.0: counted(x, scale)]
    plans = [
        dp.plan(dp.program(f), x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=2.0)) for f in made
    ]
    assert [p.verdict.spent["epsilon"] for p in plans] == pytest.approx([1 / 3, 1.0, 1 / 2, 1 / 5])
    with pytest.raises(dp.PlanError, match="arguments that can be read"):
        dp.plan(dp.program(max), x=dp.rows(d=1), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=2.0))


def test_an_output_has_the_whole_name_that_it_was_given() -> None:
    """A plugin's names have dots: two of one plugin are two outputs."""

    def program(x: Handle) -> tuple[Handle, Handle, Handle]:
        inside = dp.clip(x, ([0.0, 0.0], 1.0))
        mean = dp.release("mine.mean", dp.gaussian(share=1.0), dp.mean(inside))
        return mean, noisy(x, "mine.count"), dp.release("mine.part", dp.program(lambda y: noisy(y, "count")), x)

    assert [name for name, _ in trace(program).outputs] == ["mine.mean", "mine.count", "mine.part"]


@pytest.mark.parametrize("wrong", [{"edges": "x"}, {"categories": ["x"]}, {"edges": [0.0, 1.0], "share": "x"}])
def test_what_a_recipe_is_told_wrong_is_said_with_its_name(wrong: dict[str, Any]) -> None:
    """A number that is none ended in a ValueError of Python's; its line is that of the recipe."""
    with pytest.raises(dp.DpframeError, match=r"histogram|share"):
        dp.plan(
            lambda x: dp.release("h", dp.recipe("histogram", **wrong), x),
            x=dp.rows(d=1),
            adjacency=dp.ADD_REMOVE,
            budget=BUDGET,
        )


@pytest.mark.parametrize(
    "wrong", [lambda x: dp.apply("a", 3, x), lambda x: dp.own(3, x), lambda x: dp.apply("a", "count", x)]
)
def test_what_is_no_operation_is_refused(wrong: Callable[[Any], Any]) -> None:
    with pytest.raises(dp.DpframeError, match=r"not a|unknown|no operation"):
        trace(wrong)


def test_what_takes_no_table_is_told_to() -> None:
    with pytest.raises(dp.PlanError, match=r"takes the tables \[\].*give it an argument for each table"):
        dp.plan(lambda: None, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=BUDGET)


@pytest.mark.parametrize("allowed", ["no", 1, None])
def test_what_is_asserted_is_allowed_by_a_flag_alone(allowed: Any) -> None:
    """A text that says no would give it."""
    with pytest.raises(dp.PlanError, match="allow_asserted must be True or False"):
        dp.plan(plain, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=BUDGET, allow_asserted=allowed)


def test_what_can_not_be_told_of_progress_is_refused_before_a_run() -> None:
    found = dp.plan(plain, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=BUDGET)
    with pytest.raises(dp.PlanError, match="progress is no function"):
        found.run([[1.0, 2.0]], simulate=0, progress=3)


def test_the_public_face_says_what_comes_of_a_call() -> None:
    """A type checker knows what a recipe or a program gives; what a text names, nobody does before it is looked up."""
    unknown = {"apply", "recipe"}
    for name in sorted(set(api.__all__) - unknown):
        said = getattr(api, name)
        if inspect.isclass(said) or not inspect.isroutine(said):
            continue
        for each in get_overloads(said) or [inspect.unwrap(said)]:
            assert "Any" not in str(each.__annotations__.get("return")), name
    first, *rest = get_overloads(dp.release)
    assert [each.__annotations__["return"] for each in (first, *rest)] == ["Handle", "R"]
    assert dp.locate.__annotations__["return"] == "Composite[Handle]"
