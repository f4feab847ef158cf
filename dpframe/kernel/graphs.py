"""Graphs of operations that can run: what the planner proposes and the engine evaluates."""

from __future__ import annotations

from dpframe.errors import PlanError
from dpframe.kernel import operations, registry
from dpframe.kernel.operations import Operation
from dpframe.kernel.origins import Origin
from dpframe.kernel.post_processing import Post
from dpframe.proof.theorems import DECLARATIONS
from dpframe.proof.typed import TypedGraph, TypedNode

Typed = TypedGraph[Operation]
Planned = TypedNode[Operation]

KINDS = {"function": "row function"}
"""What a parameter names, where it is called otherwise."""
BASES: dict[str, type[Operation]] = {
    base.kind: base
    for base in (
        *(Post, operations.Mechanism, operations.Statistic, operations.Query, operations.Partition),
        *(operations.Gather, operations.Transform, operations.Blocks, operations.Control),
    )
}


def named(operation: Operation) -> dict[str, tuple[str, Origin]]:
    """What an operation's parameters name of plugins, semimetrics, masks, families and the like: kind and origin.

    Raises
    ------
    SpecError
        For a name that is not registered.
    """
    names = DECLARATIONS[operation.name].names if operation.name in DECLARATIONS else ()
    kinds = {key: KINDS.get(key, key) for key in names}
    return {key: (kind, registry.origin(kind, str(getattr(operation, key)))) for key, kind in kinds.items()}


def plugins(operation: Operation) -> dict[str, str | None]:
    """Digests of the plugins that an operation's parameters name something of; None for one that is in no file.

    Raises
    ------
    PlanError
        Where what is asserted is in no file: no certificate could name it.
    """
    found = named(operation)
    for key, (_, origin) in found.items():
        if not origin.digest and operation.cited().asserted:
            raise PlanError(
                f"{getattr(operation, key)!r} is asserted by a plugin: {origin.why}",
                fix="put it into a .py file of a folder of its own, and use --plugins or import it",
            )
    return {key: origin.digest or None for key, (_, origin) in found.items()}


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
