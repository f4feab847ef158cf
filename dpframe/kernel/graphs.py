"""Graphs of operations that can run: what the planner proposes and the engine evaluates."""

from __future__ import annotations

from dpframe.errors import PlanError
from dpframe.kernel import registry
from dpframe.kernel.operations import (
    Blocks,
    Control,
    Gather,
    Mechanism,
    Operation,
    Partition,
    Post,
    Query,
    Statistic,
    Transform,
)
from dpframe.proof.typed import TypedGraph, TypedNode

Typed = TypedGraph[Operation]
Planned = TypedNode[Operation]

BASES: dict[str, type[Operation]] = {
    "post": Post,
    "mechanism": Mechanism,
    "statistic": Statistic,
    "query": Query,
    "partition": Partition,
    "gather": Gather,
    "transform": Transform,
    "blocks": Blocks,
    "control": Control,
}


def check_operation(operation: Operation, bodies: tuple[str, ...]) -> None:
    """The operation is what its name is registered for, of one kind, and may cite its theorem."""
    name, kind = operation.name, operation.kind
    if not registry.is_registered(operation):
        raise PlanError(f"operation {name or type(operation).__name__!r} is not registered", fix="use @register(name)")
    if [k for k, base in BASES.items() if isinstance(operation, base)] != [kind]:
        raise PlanError(f"operation {name!r} calls itself a {kind}", fix="leave kind as its base class sets it")
    declared = None if kind == "post" else operation.declaration()
    if declared is not None and (declared.kind, declared.theorem) != (kind, operation.theorem):
        raise PlanError(
            f"operation {name!r} is declared as a {declared.kind} by {declared.theorem!r}, "
            f"and is a {kind} by {operation.theorem!r}",
            fix="build it from kernel operations: only they are proved",
        )
    labels = declared.bodies if declared is not None else ()
    if bodies != labels:
        raise PlanError(f"operation {name!r} takes the bodies {labels}", fix="give each body once, in this order")
