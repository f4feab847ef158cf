"""What a program adds to while it runs: the tracer of a graph, and handles for the values to come."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

import attrs
from numpy.typing import ArrayLike

from dpframe.errors import PlanError
from dpframe.front.columns import Names, kept
from dpframe.front.handling import GIVE, Handler
from dpframe.front.operators import Operators
from dpframe.kernel.graphs import Planned
from dpframe.kernel.operations import Operation
from dpframe.kernel.post_processing import Post
from dpframe.planning.graph import Graph, Node, check_condition, infer_node
from dpframe.proof.losses import Budget
from dpframe.proof.spaces import Adjacency, AffineValue, BallValue, Domain, Rows
from dpframe.proof.typed import Edge, Input, Ref

_active: contextvars.ContextVar[Tracer | None] = contextvars.ContextVar("dpframe_tracer", default=None)


@attrs.frozen(eq=False)
class Handle(Operators):
    """A value of the program that is being traced: its place in the graph, its edge, and the frame of its coordinates.

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
        """Domain of the value that the handle stands for."""
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


R_co = TypeVar("R_co", covariant=True)
"""What a composite or a program gives: a handle, or several."""


@attrs.frozen
class Composite(Generic[R_co]):
    """A recipe with its parameters, waiting for handles: expands into nodes when released, which gives ``R_co``."""

    name: str
    parameters: Mapping[str, Any]


@attrs.frozen
class Target:
    """The adjacency and budget that a program is traced for. Both are public, so a recipe may follow them.

    A recipe that does is only sized by it: the planner prices whatever graph comes out.
    """

    adjacency: Adjacency
    budget: Budget


class NameTakenError(PlanError):
    """A name that an earlier node has."""


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
        self.outermost: set[str] = set()
        """Names of nodes and of programs that stand in no other program."""
        self.path = ""
        self.handlers: list[tuple[str, Handler]] = []
        self.columns: dict[Ref, Names] = {Ref(name): names for name, names in (columns or {}).items()}

    def handle(self, name: str) -> Handle:
        """The handle of an input or node."""
        return Handle(Ref(name), self.edges[Ref(name)], self)

    def full(self, name: str) -> str:
        """The name of a node as handlers know it: with the group it is in, and the body."""
        return self.path + ".".join((*self.scope, name))

    def told(self, name: str) -> Iterator[tuple[Handler, str]]:
        """The handlers that are asked about a node, innermost first, each with the name that it knows the node by."""
        for base, handler in self.handlers:
            if name.startswith(base):
                yield handler, name[len(base) :]

    def outer(self, name: str) -> str:
        """Name of the outermost group that a node belongs to, or its own where it is in none."""
        found = [outer for outer in self.outermost if f"{name}.".startswith(f"{outer}.")]
        return min(found, key=len, default=name)

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
        self.outermost.add(self.scope[0] if self.scope else name)
        if name in self.taken:
            raise NameTakenError(
                f"two nodes are named {name!r}", fix="rename one; verbs without a name are numbered: count_1 ..."
            )
        self.check_own(f"node {name!r}", inputs)
        for handler, known in self.told(self.path + name):
            operation = handler.changed(known, operation)
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

    def mark(self) -> tuple[Any, ...]:
        """A copy of all that has been added so far, for going back to it."""
        return (
            len(self.nodes),
            dict(self.typed),
            dict(self.edges),
            set(self.taken),
            dict(self.counts),
            dict(self.columns),
        )

    def back_to(self, mark: tuple[Any, ...]) -> None:
        """Forget what was added since."""
        count, self.typed, self.edges, self.taken, self.counts, self.columns = mark
        del self.nodes[count:]

    def check_own(self, what: str, inputs: Sequence[Any]) -> None:
        """Refuse what is no handle of this graph."""
        for item in inputs:
            if not isinstance(item, Handle):
                parts = isinstance(item, (list, tuple)) and bool(item) and all(isinstance(p, Handle) for p in item)
                fix = "give one of these parts, as parts[0]" if parts else GIVE
                raise PlanError(f"{what} got a {type(item).__name__} where it needs a handle", fix=fix)
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


@contextlib.contextmanager
def tracing(active: Tracer) -> Iterator[None]:
    """Let verbs add to this tracer's graph."""
    token = _active.set(active)
    try:
        yield
    finally:
        _active.reset(token)


def _outputs(result: Any, own: Tracer) -> list[tuple[str, Ref]]:
    """Named outputs; one that has no name of its own takes that of its node, or of the program that this stands in."""
    handles = list(result.values()) if isinstance(result, Mapping) else result
    handles = list(handles) if isinstance(handles, (tuple, list)) else [handles]
    if not handles or not all(isinstance(h, Handle) for h in handles):
        raise PlanError(
            "a program returns a handle, a tuple of handles or a dict of them", fix="return what dp.release gave"
        )
    own.check_own("an output", handles)
    names = list(result) if isinstance(result, Mapping) else [own.outer(h.ref.node) for h in handles]
    for name in names:
        if names.count(name) > 1:
            raise PlanError(f"two outputs are named {name!r}", fix="return a dict with a name each")
    return [(str(name), handle.ref) for name, handle in zip(names, handles, strict=True)]


HandleLike: TypeAlias = Handle | ArrayLike | tuple[ArrayLike, float] | BallValue | AffineValue | Mapping[str, Any]
"""What stands where a released or public value is asked for: a handle, or what makes a public constant."""
