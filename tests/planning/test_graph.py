"""References, edges and order of the typed graph."""

from __future__ import annotations

import pytest

import dpframe as dp
from dpframe.planning.graph import ELSEWHERE, NAME, Graph, Node, bind, describe, edges, ordered, parse_ref
from dpframe.proof.spaces import Ball, Counts, Flag, Kind, Rows, Vector
from dpframe.proof.typed import Edge, Input, Ref

TABLE = Input("x", Kind.PRIVATE, Rows(2), 10)


def node(name: str, operation: str, *inputs: str, **parameters: object) -> Node:
    return Node(name, dp.build(operation, parameters), tuple(parse_ref(i) for i in inputs))


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("a", Ref("a")),
        ("a.b_1", Ref("a.b_1")),
        ("parts[3]", Ref("parts", 3)),
        ("parts[x]", Ref("parts[x]")),
        ("parts[-1]", Ref("parts[-1]")),
        ("a[0][1]", Ref("a[0]", 1)),
    ],
)
def test_references_are_read_as_they_are_written(text: str, ref: Ref) -> None:
    assert parse_ref(text) == ref
    assert str(ref) == text


@pytest.mark.parametrize("name", ["x", "mean.value", "a-b", "α_1", "0", "a.b.c-d"])
def test_names(name: str) -> None:
    assert NAME.fullmatch(name)
    assert parse_ref(name) == Ref(name)


@pytest.mark.parametrize("name", ["", "a b", "a/b", "a[0]", ".a", "a.", "a..b", "../a", "a\n"])
def test_what_is_no_name(name: str) -> None:
    assert not NAME.fullmatch(name)


def test_a_test_elsewhere_can_not_be_named() -> None:
    assert not NAME.fullmatch(ELSEWHERE + "test")


def test_nodes_are_put_in_order_and_bodies_too() -> None:
    inner = Graph(
        (Input("rows", Kind.PRIVATE, Rows(2)),),
        (node("out", "laplace", "n", share=1.0), node("n", "count", "rows")),
        (("out", Ref("out")),),
    )
    graph = Graph(
        (TABLE,),
        (
            Node("b", dp.build("branch", {}), (Ref("t"), Ref("x")), (("then", inner), ("otherwise", inner))),
            node("t", "truncated_laplace_test", "n", share=1.0, threshold=1.0, delta_fraction=0.1),
            node("n", "count", "x"),
        ),
        (("b", Ref("b")),),
    )
    made = ordered(graph)
    assert [n.name for n in made.nodes] == ["n", "t", "b"]
    assert [[n.name for n in body.nodes] for _, body in made.nodes[-1].bodies] == [["n", "out"], ["n", "out"]]
    found = edges(made)
    assert found[Ref("b")].kind is Kind.RELEASED
    assert found[Ref("t")].domain == Flag()
    assert [n.name for n in made.walk()] == ["n", "t", "b", "n", "out", "n", "out"]


def test_kinds_of_edges() -> None:
    graph = Graph(
        (TABLE,),
        (
            node("here", "ball", centre=[0.0, 0.0], radius=2.0),
            node("parts", "filter_ball", "x", "here"),
            node("n", "count", "parts[1]"),
            node("noisy", "laplace", "n", share=1.0),
        ),
        (("noisy", Ref("noisy")),),
    )
    found = edges(graph)
    assert found[Ref("here")] == Edge(Kind.PUBLIC, Ball(2))
    assert found[Ref("parts", 1)] == Edge(Kind.PRIVATE, Rows(2), (("parts", 1),))
    assert found[Ref("n")] == Edge(Kind.PRIVATE, Counts(1), (("parts", 1),))
    assert found[Ref("noisy")] == Edge(Kind.RELEASED, Counts(1))
    assert describe(found[Ref("n")]) == {
        "kind": "private",
        "domain": {"type": "counts", "m": 1},
        "lineage": [["parts", 1]],
    }


def test_a_post_of_public_values_is_public_and_of_released_ones_released() -> None:
    graph = Graph(
        (TABLE,),
        (
            node("here", "ball", centre=[0.0, 0.0], radius=2.0),
            node("v", "constant", values=[0.0, 0.0, 1.0], shape=[3]),
            node("public", "mean_of_ball", "v", "here"),
            node("clipped", "clip_ball", "x", "here"),
            node("m", "mean", "clipped"),
            node("noisy", "gaussian", "m", share=1.0),
            node("released", "mean_of_ball", "noisy", "here"),
        ),
        (("released", Ref("released")),),
    )
    found = edges(graph)
    assert found[Ref("public")] == Edge(Kind.PUBLIC, Vector(2))
    assert found[Ref("released")] == Edge(Kind.RELEASED, Vector(2))


def test_bodies_know_a_test_by_their_own_name_for_it_or_not_at_all() -> None:
    branch = dp.build("branch", {})
    flag, value = Edge(Kind.RELEASED, Flag()), Edge(Kind.PRIVATE, Vector(2), (("p", 0),), "test")
    three = [Ref("other"), Ref("test"), Ref("value")]
    inside = bind(branch, "then", three, [flag, flag, value], ["again", "value"])
    assert inside["value"] == Edge(Kind.PRIVATE, Vector(2), (), "again")
    given = [
        bind(branch, label, [Ref(test), Ref("value")], [flag, value], ["value"])["value"].given
        for label, test in (("then", "other"), ("then", "test"), ("otherwise", "test"))
    ]
    assert given == [ELSEWHERE + "test", None, ELSEWHERE + "test"]


def test_graphs_and_nodes_are_values() -> None:
    assert node("n", "count", "x") == node("n", "count", "x")
    assert hash(Ref("a", 1)) == hash(Ref("a", 1))
    with pytest.raises(dp.PlanError, match="no node 'm'"):
        Graph((TABLE,), (), ()).node("m")


def test_an_operation_that_breaks_on_its_inputs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin's own TypeError names the node, before anything is read."""
    made = node("b", "ball", centre=[0.0], radius=1.0)
    monkeypatch.setattr(type(made.operation), "output", lambda self: len(3))  # type: ignore[arg-type]
    with pytest.raises(dp.PlanError, match=r"node 'b': operation 'ball' can't take .*TypeError") as caught:
        edges(Graph((TABLE,), (made,), ()))
    assert caught.value.fix
