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
from typing import Any, Never, overload

import attrs

from dpframe.errors import PlanError
from dpframe.front.columns import Names, by_position, kept
from dpframe.front.declarations import RowsDeclaration, check_declaration
from dpframe.front.operators import Operators
from dpframe.kernel import registry
from dpframe.kernel.graphs import Planned
from dpframe.kernel.operations import Control, Mechanism, Operation, Post
from dpframe.kernel.shares import check_share
from dpframe.planning.frames import clip_of, framed
from dpframe.planning.graph import Graph, Node, bind, check_condition, infer_node
from dpframe.planning.plan import Plan, check_budget, make_plan
from dpframe.proof.losses import Budget
from dpframe.proof.spaces import Adjacency, Domain, Rows
from dpframe.proof.spaces import adjacency as find_adjacency
from dpframe.proof.spaces.checks import scalar
from dpframe.proof.typed import Edge, Input, Ref

_active: contextvars.ContextVar[Tracer | None] = contextvars.ContextVar("dpframe_tracer", default=None)


@attrs.frozen(eq=False)
class Handle(Operators):
    """A value to come: where it is in the graph, what it is, and the frame its coordinates refer to.

    A released array takes arithmetic, constant indices and NumPy's functions: each is a post node, and so are the
    fields of a released ball, Gaussian or mixture. Private values take none of these.

    Examples
    --------
    >>> import numpy as np
    >>> import dpframe as dp
    >>> @dp.program
    ... def share(x):
    ...     released = dp.release("counts", dp.laplace(share=1.0), dp.count(x))
    ...     return {"share": np.clip(released[0] / 1000, 0, 1)}
    >>> plan = dp.plan(share, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(1.0))
    >>> [node.name for node in plan.graph.nodes]
    ['count_1', 'counts', 'getitem_1', 'divide_1', 'clip_1']
    """

    ref: Ref
    edge: Edge
    tracer: Tracer = attrs.field(repr=False)

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

    @property
    def columns(self) -> Names | None:
        """Names of the columns of rows, where they were declared."""
        return self.tracer.columns.get(self.ref)

    def _made(self, stem: str, operation: Post, inputs: list[Any]) -> Handle:
        """A post node in the graph that is being traced."""
        return tracer().add(stem, operation, inputs)[0]


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

    def __init__(
        self, inputs: Sequence[Input], target: Target | None = None, columns: Mapping[str, Names] | None = None
    ) -> None:
        self.inputs = tuple(inputs)
        self.target = target
        self.nodes: list[Node] = []
        self.typed: dict[str, Planned] = {}
        self.edges: dict[Ref, Edge] = {Ref(i.name): i.edge for i in inputs}
        self.taken = {i.name for i in inputs}
        self.counts: dict[str, int] = {}
        self.scope: tuple[str, ...] = ()
        self.columns: dict[Ref, Names] = {Ref(name): names for name, names in (columns or {}).items()}

    def handle(self, name: str) -> Handle:
        """The handle of an input or node."""
        return Handle(Ref(name), self.edges[Ref(name)], self)

    def fresh(self, stem: str) -> str:
        """An unused node name in the current scope: the stem, numbered."""
        name = ".".join((*self.scope, stem))
        count = self.counts.get(name, 1)
        while f"{name}_{count}" in self.taken:
            count += 1
        self.counts[name] = count  # names are never given back
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
        if name in self.taken:
            raise PlanError(
                f"two nodes are named {name!r}",
                fix="rename one; verbs without a name are numbered: count_1 ...",
            )
        self.check_own(f"node {name!r}", inputs)
        node = Node(name, operation, tuple(h.ref for h in inputs), tuple(bodies))
        typed = infer_node(node, self.edges)
        check_condition(typed, self.typed)
        self.nodes.append(node)
        self.typed[name] = typed
        self.taken.add(name)
        made = typed.edges()
        self.edges.update(made)
        names = kept(operation, self.columns.get(inputs[0].ref)) if inputs else None
        if names is not None:
            self.columns.update(dict.fromkeys(made, names))
        return [Handle(ref, edge, self) for ref, edge in made.items()]

    def check_own(self, what: str, inputs: Sequence[Any]) -> None:
        """Refuse what is no handle of this graph."""
        for item in inputs:
            if not isinstance(item, Handle):
                raise PlanError(
                    f"{what} got a {type(item).__name__} where it needs a handle",
                    fix="make constants with dp.constant or dp.ball",
                )
            if item.tracer is not self:
                raise PlanError(
                    f"{what} uses {str(item.ref)!r} of another graph",
                    fix="pass it to the body as an argument, and return from the body what is used outside",
                )

    def graph(self, result: Any) -> Graph:
        """The graph so far, with what the program returned as outputs."""
        outputs = _outputs(result, self)
        return Graph(self.inputs, tuple(self.nodes), tuple(outputs))


def tracer() -> Tracer:
    """The tracer of the program that is running."""
    active = _active.get()
    if active is None:
        raise PlanError("no program is being traced", fix="call this inside a function decorated with @dp.program")
    return active


def apply(name: str, operation: Operation | Composite, *inputs: Handle, finish: bool = True) -> Any:
    """Add an operation or expand a composite under ``name``; partitions give a list of handles.

    A released statistic of clipped rows is put into the units of those rows by the statistic's own finishing post
    node. A spec, which writes every node out, adds that node itself: ``finish=False``.
    """
    t = tracer()
    if not isinstance(name, str):
        raise PlanError(f"the name of a node must be a text, not a {type(name).__name__}", fix='for example "mean"')
    if isinstance(operation, Composite):
        function, given = registry.find_composite(operation.name), _checked(in_columns(operation.parameters, inputs))
        return expand(name, function, inputs, given, f"composite {operation.name!r}")
    made = t.add(name, operation, inputs, exact=True)
    if isinstance(operation, Mechanism) and finish:
        return _finish(t, name, made[0])
    return made[0] if len(made) == 1 and made[0].ref.part is None else made


def in_columns(parameters: Mapping[str, Any], inputs: Sequence[Any]) -> dict[str, Any]:
    """Parameters with columns by position: those of the first input, where it is rows."""
    first = inputs[0] if inputs and isinstance(inputs[0], Handle) else None
    return by_position(
        parameters, None if first is None else first.columns, "rows" if first is None else repr(str(first.ref))
    )


def _finish(t: Tracer, name: str, released: Handle) -> Handle:
    """Undo the frame of a released sum, mean or the like, where its statistic names how."""
    frame = framed(t.typed, t.edges, released.ref)
    if frame is None or not frame.finish:
        return released
    if frame.ball is None:
        raise PlanError(
            f"{name!r} is in the units of a frame that is not at hand: its rows were clipped outside",
            fix="clip in this body, or say dp.release(..., frame=True)",
        )
    ball = Handle(frame.ball, t.edges[frame.ball], t)
    return t.add(name + ".value", registry.build(frame.finish, {}), [released, ball], exact=True)[0]


def _checked(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters of a composite: its share is a number, and so is a bound where it is no list of them."""
    given = {key: scalar(value) for key, value in parameters.items()}
    if "share" in given:
        check_share("share", given["share"])
    bound = given.get("bound")
    if isinstance(bound, (bool, str, int, float)) or (isinstance(bound, (list, tuple)) and not bound):
        check_share("bound", bound)
    return given


def expand(
    name: str, function: Callable[..., Any], inputs: Sequence[Any], parameters: Mapping[str, Any], shown: str
) -> Any:
    """Call a function of handles, its nodes' names under ``name``; ``shown`` names it in errors."""
    t = tracer()
    t.check_own(shown, [item for item in inputs if item is not None])
    outer = t.scope
    t.scope = (*outer, name)
    try:
        return function(*inputs, **parameters)
    except TypeError as error:
        raise PlanError(f"{shown}: {error}", fix="check its parameters and inputs") from None
    finally:
        t.scope = outer


@overload
def release(name: str, mechanism: Mechanism, value: Handle, *, frame: bool = False) -> Handle: ...
@overload
def release(name: str, mechanism: Composite, value: Handle, *more: Handle, frame: bool = False) -> Any: ...
def release(name: str, mechanism: Mechanism | Composite, value: Handle, *more: Handle, frame: bool = False) -> Any:
    """Release a private value through a mechanism, or expand a composite, under ``name``.

    A sum, Gram matrix or sum of squares of clipped rows comes back about the centre of the clip's ball and in the units
    of the rows that were clipped, a mean as a mean; the array's ``centre`` says about what. With ``frame`` it stays in
    the units of the unit ball, with the noise that the plan shows.
    """
    if not isinstance(mechanism, (Mechanism, Composite)):
        raise PlanError(
            f"release {name!r} needs a mechanism or a composite, not {type(mechanism).__name__}",
            fix="use dp.gaussian(share=...) or another mechanism",
        )
    return apply(name, mechanism, value, *more, finish=not frame)


# ------------------------------------------------------------------------------------ control flow


def trace_body(function: Callable[..., Any], bound: Mapping[str, Edge], count: int) -> Graph:
    """A body's graph with these inputs (``dpframe.planning.graph.bind``); its function takes the first ``count``."""
    inner = Tracer([Input(name, edge.kind, edge.domain) for name, edge in bound.items()], tracer().target)
    inner.edges = {Ref(name): edge for name, edge in bound.items()}
    token = _active.set(inner)
    try:
        result = function(*(inner.handle(name) for name in list(bound)[:count]))
    finally:
        _active.reset(token)
    return inner.graph(result)


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
    """Trace the bodies of a control operation and add its node.

    With clipped rows their ball is captured too, as ``rows.ball``: what a body sums comes out in the rows' units.
    """
    t = tracer()
    t.check_own(f"node {name!r}", inputs)
    first = int(operation.name == "branch")
    count = len(inputs) - first
    clips = [(i, clip_of(t.typed, t.edges, h.ref)[0]) for i, h in enumerate(inputs[first:]) if h.tracer is t]
    balls = {i: Handle(ball, t.edges[ball], t) for i, ball in clips if ball is not None}
    inputs = [*inputs, *balls.values()]
    bodies: list[tuple[str, Graph]] = []
    for label, function in zip(operation.declaration().bodies, functions, strict=True):
        names = _names(function, count)
        names += [f"{names[i]}.ball" for i in balls]
        bound = bind(operation, label, [h.ref for h in inputs], [h.edge for h in inputs], names)
        bodies.append((label, trace_body(function, bound, count)))
    return t.add(name, operation, inputs, bodies, exact=True)[0]


# ------------------------------------------------------------------------------- programs and plans


@attrs.frozen
class Program:
    """A traced-on-demand function of handles; called with handles inside another program it is a part of that."""

    function: Callable[..., Any] = attrs.field()

    @function.validator
    def _callable(self, attribute: attrs.Attribute[Any], value: object) -> None:
        if not callable(value) or isinstance(value, Handle):
            raise PlanError(f"a program is a function of handles, not a {type(value).__name__}", fix="give a function")

    def __call__(self, *handles: Handle, **parameters: Any) -> Any:
        """The function itself, for handles of the program that is being traced."""
        tracer().check_own("a program", handles)
        return self.function(*handles, **parameters)

    def graph(
        self,
        inputs: Sequence[Input],
        *,
        target: Target | None = None,
        columns: Mapping[str, Names] | None = None,
    ) -> Graph:
        """Trace the function with these inputs, for a known adjacency and budget, and names of columns, if given."""
        active = Tracer(inputs, target, columns)
        token = _active.set(active)
        try:
            result = self.function(*(active.handle(i.name) for i in inputs))
        finally:
            _active.reset(token)
        return active.graph(result)


def _outputs(result: Any, own: Tracer) -> list[tuple[str, Ref]]:
    """Named outputs; one that has no name of its own takes that of its node, up to the first dot."""
    handles = list(result.values()) if isinstance(result, Mapping) else result
    handles = list(handles) if isinstance(handles, (tuple, list)) else [handles]
    if not handles or not all(isinstance(h, Handle) for h in handles):
        raise PlanError(
            "a program returns a handle, a tuple of handles or a dict of them", fix="return what dp.release gave"
        )
    own.check_own("an output", handles)
    names = list(result) if isinstance(result, Mapping) else [h.ref.node.split(".")[0] for h in handles]
    for name in names:
        if names.count(name) > 1:
            raise PlanError(f"two outputs are named {name!r}", fix="return a dict with a name each")
    return [(str(name), handle.ref) for name, handle in zip(names, handles, strict=True)]


def program(function: Callable[..., Any] | None = None) -> Program:
    """Decorator: make a function of handles a program."""
    if function is None:
        raise PlanError("dp.program is given no function", fix="write @dp.program without brackets")
    return Program(function)


def plan(
    what: Program | Graph | Callable[..., Any],
    *declared: Never,
    adjacency: Adjacency | str,
    budget: Budget,
    allow_asserted: bool = False,
    **tables: RowsDeclaration,
) -> Plan:
    """Trace, check and price a program; reads no data.

    Parameters
    ----------
    what : Program, function of handles, or Graph
    adjacency : Adjacency, Edits or str
        ``dp.REPLACE_ONE``, ``dp.ADD_REMOVE``, ``Edits(m, m)``. No default.
    budget : ApproxDP, PureDP, ZCDP or GDP
        No default.
    allow_asserted : bool
        Whether operations may be used whose price is a plugin's word (``dpframe ops`` shows each level).
    **tables
        One declaration (:func:`rows`, :func:`public_rows`) for each argument of the program.

    Raises
    ------
    PlanError, BudgetError
    """
    relation = find_adjacency(adjacency)
    check_budget(budget)
    if declared:
        raise PlanError("tables are declared by name", fix="write x=dp.rows(...) for the program's argument x")
    for name, table in tables.items():
        check_declaration(name, table)
    if not isinstance(what, Graph):
        what = what if isinstance(what, Program) else Program(what)
        names = _arguments(what.function)
        if set(names) != set(tables):
            raise PlanError(
                f"the program takes the tables {names}, but {sorted(tables)} are declared",
                fix="declare each argument once",
            )
        inputs = [Input(n, tables[n].kind, Rows(tables[n].d), tables[n].n) for n in names]
        columns = {n: table.columns for n, table in tables.items() if table.columns is not None}
        what = what.graph(inputs, target=Target(relation, budget), columns=columns)
        return make_plan(what, adjacency=relation, budget=budget, allow_asserted=allow_asserted, columns=columns)
    if tables:
        raise PlanError("a graph declares its own inputs", fix="leave the table declarations out")
    return make_plan(what, adjacency=relation, budget=budget, allow_asserted=allow_asserted)
