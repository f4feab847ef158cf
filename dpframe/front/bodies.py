"""Control flow: the bodies of a control node, traced as graphs of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpframe.errors import PlanError
from dpframe.front.program import argument_names
from dpframe.front.tracing import Handle, Tracer, tracer, tracing
from dpframe.kernel.operations import Control
from dpframe.planning.frames import clip_of
from dpframe.planning.graph import Graph, bind
from dpframe.proof.theorems.declaring import captured
from dpframe.proof.typed import Edge, Input, Ref


def trace_body(
    function: Callable[..., Any],
    bound: Mapping[str, Edge],
    count: int,
    *,
    under: str | None = None,
    rows: int | None = None,
) -> Graph:
    """Trace a body with these inputs (``dpframe.planning.graph.bind``); its function takes the first ``count``.

    Handlers are told of its nodes where ``under`` says what their names begin with. The first input has ``rows`` rows
    where that is public (:func:`rows_of`).
    """
    given = [Input(name, edge.kind, edge.domain, None if i else rows) for i, (name, edge) in enumerate(bound.items())]
    inner = Tracer(given, tracer().target)
    inner.edges = {Ref(name): edge for name, edge in bound.items()}
    if under is not None:
        inner.path, inner.handlers = f"{tracer().full(under)}.", tracer().handlers
    with tracing(inner):
        result = function(*(inner.handle(name) for name in list(bound)[:count]))
    return inner.graph(result)


def rows_of(operation: Control, inputs: Sequence[Handle]) -> int | None:
    """The public number of rows of a body's own table; None of any other body."""
    if operation.declaration().own_rows != "table" or not inputs:
        return None
    t = tracer()
    public = t.target is None or t.target.adjacency.n_is_public
    return next((i.n for i in t.inputs if public and Ref(i.name) == inputs[0].ref), None)


def _names(function: Callable[..., Any], count: int) -> list[str]:
    names = argument_names(function)
    if len(names) != count:
        raise PlanError(
            f"body {getattr(function, '__name__', str(function))!r} takes {len(names)} arguments, is given {count}",
            fix="capture as many values as it takes",
        )
    return names


def control(name: str, operation: Control, inputs: Sequence[Handle], functions: Sequence[Callable[..., Any]]) -> Handle:
    """Trace the bodies of a control operation and add its node.

    With clipped rows their ball is captured too, as ``rows.ball``: what a body sums comes out in the rows' units.
    """
    t = tracer()
    t.check_own(f"node {name!r}", inputs)
    first = captured(operation.name)
    count = len(inputs) - first
    clips = [(i, clip_of(t.typed, t.edges, h.ref)[0]) for i, h in enumerate(inputs[first:]) if h.tracer is t]
    balls = {i: Handle(ball, t.edges[ball], t) for i, ball in clips if ball is not None}
    inputs = [*inputs, *balls.values()]
    bodies: list[tuple[str, Graph]] = []
    for label, function in zip(operation.declaration().bodies, functions, strict=True):
        names = _names(function, count)
        names += [f"{names[i]}.ball" for i in balls]
        bound = bind(operation, label, [h.ref for h in inputs], [h.edge for h in inputs], names)
        bodies.append((label, trace_body(function, bound, count, under=name, rows=rows_of(operation, inputs))))
    return t.add(name, operation, inputs, bodies, exact=True)[0]
