"""Which pass over the data each statistic is taken in: statistics that wait for the same releases share one."""

from __future__ import annotations

from dpframe.kernel.graphs import Typed
from dpframe.kernel.operations import Blocks, Gather, Statistic


def reads_rows(kind: object) -> bool:
    """Whether an operation needs a pass of its own over the rows."""
    return isinstance(kind, (Statistic, Gather, Blocks))


def passes_of(graph: Typed) -> dict[str, int]:
    """Pass number (from 1) by node name; nodes of bodies count from their own start.

    A node's depth is the number of passes that must be over before it can be evaluated: a statistic of rows
    whose parameters come from releases of pass p is taken in pass p + 1.
    """
    depth: dict[str, int] = {i.name: 0 for i in graph.inputs}
    out: dict[str, int] = {}
    for node in graph.nodes:
        before = max((depth[r.node] for r in node.inputs), default=0)
        inner = 0
        if node.bodies:
            inner = max((max(passes_of(b).values(), default=0) for b in node.bodies.values()), default=0)
        takes = 1 if reads_rows(node.operation) else inner
        if takes:
            out[node.name] = before + takes
        depth[node.name] = before + takes
    return out
