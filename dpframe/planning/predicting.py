"""What a plan says of the error of its outputs before it runs: error models of nodes, told the planned noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpframe.errors import PlanError
from dpframe.kernel.expected import Expected, Noises
from dpframe.kernel.operations import Post
from dpframe.proof.spaces import Kind
from dpframe.proof.typed import Ref

if TYPE_CHECKING:
    from dpframe.planning.plan import Plan


def predict(plan: Plan, rows: int | None = None) -> dict[str, Expected]:
    """The predicted error of every output that has a model; the nearest node above it with one is asked.

    Raises
    ------
    PlanError
        Where the number of rows is not public and not given.
    """
    declared = next((item.n for item in plan.graph.inputs if item.kind is Kind.PRIVATE), None)
    n = declared if rows is None else rows
    if n is None:
        raise PlanError("a prediction needs the number of rows, which is no part of this plan", fix="give rows=...")
    found = {name: _nearest(plan, ref, n) for name, ref in plan.graph.outputs}
    return {name: expected for name, expected in found.items() if expected is not None}


def _nearest(plan: Plan, ref: Ref, rows: int) -> Expected | None:
    nodes = {node.name: node for node in plan.typed.nodes}
    waiting, seen = [ref.node], set()
    while waiting:
        name = waiting.pop(0)
        node = nodes.get(name)
        if node is None or name in seen or not isinstance(node.operation, Post):
            continue
        seen.add(name)
        expected = node.operation.predicted_error(node.output.domain, rows, noise_above(plan, name))
        if expected is not None:
            return expected
        waiting += [r.node for r in node.inputs]
    return None


def noise_above(plan: Plan, name: str) -> Noises:
    """The mechanisms above a node: what is released, and their noise."""
    nodes = {node.name: node for node in plan.typed.nodes}
    above, waiting = set(), [name]
    while waiting:
        for ref in nodes[waiting.pop()].inputs:
            if ref.node in nodes and ref.node not in above:
                above.add(ref.node)
                waiting.append(ref.node)
    out = []
    for node in plan.typed.nodes:
        if node.name in above and (node.name,) in plan.calibrations:
            source = nodes.get(node.inputs[0].node)
            out.append(("" if source is None else source.operation.name, plan.calibrations[node.name,]))
    return tuple(out)
