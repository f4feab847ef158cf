"""The typed graph: inferred once, with every body in it, and never changed."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import attrs
import pytest

import dpframe.planning.graph
from dpframe.planning.certificate import certificate
from dpframe.planning.explain import ledger
from dpframe.proof.typed import Ref
from tests.planning import examples


@pytest.mark.parametrize("case", ["branch", "for_each", "recurse"])
def test_bodies_are_typed_graphs_with_their_paths(case: str) -> None:
    typed = examples.plan_of(case).typed
    bodies = [(path, label, body) for path, node in typed.walk() for label, body in node.bodies.items()]
    assert bodies
    for path, label, body in bodies:
        assert body.path == (*path, label)
        assert all(ref in body.edges for node in body.nodes for ref in node.inputs)


def test_a_partition_has_an_edge_for_each_part() -> None:
    typed = examples.plan_of("halves by index").typed
    (node,) = [node for node in typed.nodes if node.parts is not None]
    edges = node.edges()
    assert [ref.part for ref in edges] == list(range(node.parts or 0))
    assert all(edges[ref].lineage == (*node.output.lineage, (node.name, ref.part)) for ref in edges)
    assert all(typed.edges[ref] == edge for ref, edge in edges.items())


CHANGES: list[Callable[[dpframe.planning.graph.Typed], object]] = [
    lambda typed: setattr(typed, "nodes", ()),
    lambda typed: typed.edges.__setitem__(Ref("x"), None),  # type: ignore[attr-defined]
    lambda typed: typed.nodes[-1].bodies.__setitem__("body", typed),  # type: ignore[attr-defined]
    lambda typed: setattr(typed.nodes[0], "inputs", ()),
]


@pytest.mark.parametrize("change", CHANGES)
def test_it_can_not_be_changed(change: Callable[[dpframe.planning.graph.Typed], object]) -> None:
    with pytest.raises((TypeError, attrs.exceptions.FrozenInstanceError)):
        change(examples.plan_of("for_each").typed)


def test_planned_bodies_are_not_inferred_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ledger, certificate and copy of a plan with nested bodies use what planning inferred."""
    plan = examples.plan_of("branch")

    def never(*args: object, **more: object) -> None:
        raise AssertionError("inferred again")

    for name in ("infer", "infer_node", "bind"):
        monkeypatch.setattr(dpframe.planning.graph, name, never)
    ledger(plan)
    certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    assert plan.passes


def test_it_survives_a_copy() -> None:
    typed = examples.plan_of("for_each").typed
    copied = pickle.loads(pickle.dumps(typed))
    assert copied.edges == typed.edges
    assert [path for path, _ in copied.walk()] == [path for path, _ in typed.walk()]
