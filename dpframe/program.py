"""The probabilistic-programming front end: a Python function of handles, traced into a graph.

A handle stands for a value that does not exist yet. Each verb adds a node at once, so a wrong shape or a
private value in the wrong place is refused at the line that wrote it.

Examples
--------
>>> import dpframe as dp
>>> @dp.program
... def clipped_mean(x):
...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
...     return dp.release("mean", dp.gaussian(share=1.0), dp.mean(inside))
>>> plan = dp.plan(clipped_mean, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE,
...                budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
>>> plan.verdict.accountant
'gdp'
"""

from __future__ import annotations

import contextvars
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from dpframe import registry
from dpframe.errors import PlanError
from dpframe.graph import Edge, Graph, Input, Node, Ref, body_edges, check_condition, edges, node_edges
from dpframe.losses import Budget
from dpframe.operations import Control, Mechanism, Operation, Post, Statistic
from dpframe.planning.plan import Plan, make_plan
from dpframe.spaces import Adjacency, Domain, Kind, Rows
from dpframe.spaces import adjacency as find_adjacency

_active: contextvars.ContextVar[Tracer | None] = contextvars.ContextVar("dpframe_tracer", default=None)


@attrs.frozen(eq=False)
class Handle:
    """A value to come: where it is in the graph, what it is, and the frame its coordinates refer to."""

    ref: Ref
    edge: Edge
    tracer: Tracer = attrs.field(repr=False)
    frame: Handle | None = attrs.field(default=None, repr=False)

    @property
    def domain(self) -> Domain:
        """Its domain."""
        return self.edge.domain

    @property
    def d(self) -> int:
        """Number of columns of rows."""
        if not isinstance(self.edge.domain, Rows):
            raise PlanError(f"{self.ref} is {self.edge.domain}, not rows", fix="ask a table or a part for d")
        return self.edge.domain.d

    def __bool__(self) -> bool:
        raise PlanError(
            f"{str(self.ref)!r} has no value while the program is traced, so it can't decide an `if`",
            fix="use dp.branch(test, then, otherwise)",
        )

    def __iter__(self) -> Any:
        raise PlanError(
            f"{str(self.ref)!r} has no value while the program is traced, so it can't be looped over",
            fix="use dp.for_each(items, body, ...)",
        )


@attrs.frozen
class Composite:
    """A recipe with its parameters, waiting for handles: expands into nodes when released."""

    name: str
    parameters: Mapping[str, Any]


@attrs.frozen
class Target:
    """What a program is traced for: public, so a recipe may choose its number of steps by it.

    A recipe that does is only sized by it: the planner prices whatever graph comes out.
    """

    adjacency: Adjacency
    budget: Budget


class Tracer:
    """Collects nodes while a program runs. One a graph; bodies have tracers of their own."""

    def __init__(self, inputs: Sequence[Input], target: Target | None = None) -> None:
        self.inputs = tuple(inputs)
        self.target = target
        self.nodes: list[Node] = []
        self.found: dict[Ref, Edge] = {Ref(i.name): i.edge for i in inputs}
        self.scope: tuple[str, ...] = ()

    def handle(self, name: str) -> Handle:
        """The handle of an input or node."""
        return Handle(Ref(name), self.found[Ref(name)], self)

    def fresh(self, stem: str) -> str:
        """An unused node name in the current scope: the stem, numbered."""
        name = ".".join((*self.scope, stem))
        taken = {r.node for r in self.found}
        count = 1
        while f"{name}_{count}" in taken:
            count += 1
        return f"{name}_{count}"

    def add(
        self,
        stem: str,
        operation: Operation,
        inputs: Sequence[Handle],
        bodies: Sequence[tuple[str, Graph]] = (),
        *,
        exact: bool = False,
    ) -> list[Handle]:
        """Add a node; ``exact`` refuses a name that is taken instead of numbering it."""
        name = ".".join((*self.scope, stem)) if exact else self.fresh(stem)
        if any(r.node == name for r in self.found):
            raise PlanError(
                f"two nodes are named {name!r}",
                fix="rename one; verbs without a name are numbered: count_1 ...",
            )
        for item in inputs:
            if not isinstance(item, Handle):
                raise PlanError(
                    f"node {name!r} got a {type(item).__name__} where it needs a handle",
                    fix="make constants with dp.constant or dp.ball",
                )
            if item.tracer is not self:
                raise PlanError(
                    f"node {name!r} uses {str(item.ref)!r} of another graph",
                    fix="pass it to the body as an argument",
                )
        node = Node(name, operation, tuple(h.ref for h in inputs), tuple(bodies))
        made = node_edges(node, self.found)
        check_condition(node, {n.name: n for n in self.nodes})
        self.nodes.append(node)
        self.found.update(made)
        return [Handle(ref, edge, self) for ref, edge in made.items()]

    def graph(self, outputs: Sequence[tuple[str, Ref]]) -> Graph:
        """The graph so far."""
        return Graph(self.inputs, tuple(self.nodes), tuple(outputs))


def tracer() -> Tracer:
    """The tracer of the program that is running."""
    active = _active.get()
    if active is None:
        raise PlanError("no program is being traced", fix="call this inside a function decorated with @dp.program")
    return active


def apply(name: str, operation: Operation | Composite, *inputs: Handle, finish: bool = True) -> Any:
    """Add an operation or expand a composite under ``name``; partitions give a list of handles.

    Clips remember their frame (the ball or box), and a released statistic of clipped rows is put
    back into the units of the table by the statistic's own finishing post node. A spec, which writes
    every node out, adds that node itself: ``finish=False``.
    """
    t = tracer()
    if isinstance(operation, Composite):
        return _expand(t, name, operation, inputs)
    made = t.add(name, operation, inputs, exact=True)
    frame = _frame(operation, inputs)
    made = [attrs.evolve(h, frame=frame) for h in made]
    if isinstance(operation, Mechanism) and finish:
        return _finish(t, name, made[0], inputs[0])
    return made[0] if len(made) == 1 and made[0].ref.part is None else made


def _frame(operation: Operation, inputs: Sequence[Handle]) -> Handle | None:
    if operation.name in ("clip_ball", "clip_box", "block_sum"):
        return inputs[1]
    return inputs[0].frame if inputs and isinstance(operation, Statistic) else None


def _finish(t: Tracer, name: str, released: Handle, statistic: Handle) -> Handle:
    """Undo the frame of a released mean or the like, where its statistic names how."""
    node = next((n for n in t.nodes if n.name == statistic.ref.node), None)
    finish = "" if node is None or isinstance(node.operation, Post) else node.operation.declaration().finish
    if not finish or statistic.frame is None:
        return attrs.evolve(released, frame=statistic.frame)
    stem = name + ".value"
    return t.add(stem, registry.build(finish, {}), [released, statistic.frame], exact=True)[0]


def _expand(t: Tracer, name: str, recipe: Composite, inputs: Sequence[Handle]) -> Any:
    outer = t.scope
    t.scope = (*outer, name)
    try:
        return registry.find_composite(recipe.name)(*inputs, **recipe.parameters)
    except TypeError as error:
        raise PlanError(f"composite {recipe.name!r}: {error}", fix="check its parameters and inputs") from None
    finally:
        t.scope = outer


def release(name: str, mechanism: Mechanism | Composite, value: Handle, *more: Handle) -> Any:
    """Release a private value through a mechanism, or expand a composite, under ``name``."""
    if not isinstance(mechanism, (Mechanism, Composite)):
        raise PlanError(
            f"release {name!r} needs a mechanism or a composite, not {type(mechanism).__name__}",
            fix="use dp.gaussian(share=...) or another mechanism",
        )
    return apply(name, mechanism, value, *more)


# ------------------------------------------------------------------------------------ control flow


def _trace_body(function: Callable[..., Any], domains: Sequence[tuple[str, Edge]]) -> Graph:
    inner = Tracer([Input(name, edge.kind, edge.domain) for name, edge in domains], tracer().target)
    inner.found = {Ref(name): edge for name, edge in domains}
    token = _active.set(inner)
    try:
        result = function(*(inner.handle(name) for name, _ in domains))
    finally:
        _active.reset(token)
    return inner.graph(_outputs(result))


def _arguments(function: Callable[..., Any]) -> list[str]:
    """Names of the arguments that handles are given to: those that have no default and take a position."""
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        raise PlanError(f"{function!r} has no arguments that can be read", fix="wrap it in a function") from None
    return [p.name for p in known if p.kind in positional and p.default is p.empty]


def _names(function: Callable[..., Any], count: int) -> list[str]:
    names = _arguments(function)
    if len(names) != count:
        raise PlanError(
            f"body {getattr(function, '__name__', str(function))!r} takes {len(names)} arguments, is given {count}",
            fix="capture as many values as it takes",
        )
    return names


def control(name: str, operation: Control, inputs: Sequence[Handle], functions: Sequence[Callable[..., Any]]) -> Handle:
    """Trace the bodies of a control operation and add its node."""
    t = tracer()
    outer = [h.edge for h in inputs]
    bodies: list[tuple[str, Graph]] = []
    for label, function in zip(operation.declaration().bodies, functions, strict=True):
        count = len(inputs) - (operation.name == "branch")
        empty = Graph(tuple(Input(n, Kind.PUBLIC, Rows(1)) for n in _names(function, count)), (), ())
        probe = Node(name, operation, tuple(h.ref for h in inputs), ((label, empty),))
        bound = body_edges(probe, label, outer)
        bodies.append((label, _trace_body(function, [(i.name, bound[Ref(i.name)]) for i in empty.inputs])))
    return t.add(name, operation, inputs, bodies, exact=True)[0]


# ------------------------------------------------------------------------------- programs and plans


@attrs.frozen
class Program:
    """A traced-on-demand function of handles."""

    function: Callable[..., Any]

    def graph(self, inputs: Sequence[Input], *, target: Target | None = None) -> Graph:
        """Trace the function with these inputs, for a known adjacency and budget if given."""
        active = Tracer(inputs, target)
        token = _active.set(active)
        try:
            result = self.function(*(active.handle(i.name) for i in inputs))
        finally:
            _active.reset(token)
        return active.graph(_outputs(result))


def _outputs(result: Any) -> list[tuple[str, Ref]]:
    """Named outputs; one that has no name of its own takes that of its node, up to the first dot."""
    handles = list(result.values()) if isinstance(result, Mapping) else result
    handles = list(handles) if isinstance(handles, (tuple, list)) else [handles]
    if not handles or not all(isinstance(h, Handle) for h in handles):
        raise PlanError(
            "a program returns a handle, a tuple of handles or a dict of them", fix="return what dp.release gave"
        )
    names = list(result) if isinstance(result, Mapping) else [h.ref.node.split(".")[0] for h in handles]
    for name in names:
        if names.count(name) > 1:
            raise PlanError(f"two outputs are named {name!r}", fix="return a dict with a name each")
    return [(str(name), handle.ref) for name, handle in zip(names, handles, strict=True)]


def program(function: Callable[..., Any]) -> Program:
    """Decorator: make a function of handles a program."""
    return Program(function)


@attrs.frozen
class RowsDeclaration:
    """What is declared of a table before it is read."""

    d: int
    n: int | None
    kind: Kind


def rows(*, d: int, n: int | None = None) -> RowsDeclaration:
    """Declare a private table: ``d`` columns, and under replace-one its public number of rows ``n``."""
    return RowsDeclaration(d, n, Kind.PRIVATE)


def public_rows(*, d: int, n: int | None = None) -> RowsDeclaration:
    """Declare a public table."""
    return RowsDeclaration(d, n, Kind.PUBLIC)


def plan(what: Program | Graph, *, adjacency: Any, budget: Any, **tables: RowsDeclaration) -> Plan:
    """Trace, check and price a program; reads no data.

    Parameters
    ----------
    what : Program or Graph
    adjacency : Adjacency, Edits or str
        ``dp.REPLACE_ONE``, ``dp.ADD_REMOVE``, ``Edits(m, m)``. No default.
    budget : ApproxDP, PureDP, ZCDP or GDP
        No default.
    **tables
        One declaration (:func:`rows`, :func:`public_rows`) for each argument of the program.

    Raises
    ------
    PlanError, BudgetError
    """
    if isinstance(what, Program):
        names = _arguments(what.function)
        if set(names) != set(tables):
            raise PlanError(
                f"the program takes {names}, declared are {sorted(tables)}", fix="declare each argument once"
            )
        inputs = [Input(n, tables[n].kind, Rows(tables[n].d), tables[n].n) for n in names]
        what = what.graph(inputs, target=Target(find_adjacency(adjacency), budget))
    elif tables:
        raise PlanError("a graph declares its own inputs", fix="leave the table declarations out")
    return make_plan(what, adjacency=adjacency, budget=budget)


def check_graph(graph: Graph) -> dict[Ref, Edge]:
    """Infer the edges of a graph made by hand."""
    return edges(graph)
