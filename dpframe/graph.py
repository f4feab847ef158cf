"""The typed graph: inputs, nodes, references, and the edges inferred from them.

Shapes, edge kinds and taint are checked while the graph is built, so that an error points at the
line that made it. ``Graph`` is a frozen value.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from dpframe import registry
from dpframe.errors import DpframeError, PlanError
from dpframe.operations import (
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
from dpframe.spaces import Domain, Kind, ListOf
from dpframe.theorems.declaring import TEST, Condition, check_inputs

NAME = re.compile(r"\w+([.-]\w+)*")
ELSEWHERE = "../"
"""Before the name of a test outside a body: no node can be called so."""
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


@attrs.frozen
class Ref:
    """A reference to a node's value, or to one part of a partition."""

    node: str
    part: int | None = None

    def __str__(self) -> str:
        return self.node if self.part is None else f"{self.node}[{self.part}]"

    @staticmethod
    def parse(text: str) -> Ref:
        """Read ``name`` or ``name[3]``."""
        if text.endswith("]") and "[" in text:
            node, _, part = text[:-1].rpartition("[")
            if part.isdigit():
                return Ref(node, int(part))
        return Ref(text)


Lineage = tuple[tuple[str, int], ...]


@attrs.frozen
class Edge:
    """What flows along a reference.

    ``lineage`` names the partitions and parts a private value went through, outermost first.
    ``given`` is the test whose passing the value presupposes; it may be used inside that branch only.
    """

    kind: Kind
    domain: Domain
    lineage: Lineage = ()
    given: str | None = None

    @property
    def private(self) -> bool:
        """Whether only the kernel may see the value."""
        return self.kind is Kind.PRIVATE


@attrs.frozen
class Input:
    """An input of a graph: a private table, a public one, or a value handed to a body."""

    name: str
    kind: Kind
    domain: Domain
    n: int | None = None

    @property
    def edge(self) -> Edge:
        """The edge it starts."""
        return Edge(self.kind, self.domain)


@attrs.frozen
class Node:
    """One operation applied to references. ``bodies`` are the subgraphs of a control node."""

    name: str
    operation: Operation
    inputs: tuple[Ref, ...]
    bodies: tuple[tuple[str, Graph], ...] = ()


@attrs.frozen
class Graph:
    """Inputs, nodes in a valid order, and named outputs."""

    inputs: tuple[Input, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[tuple[str, Ref], ...]

    def node(self, name: str) -> Node:
        """The node of that name."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise PlanError(f"no node {name!r}")

    def walk(self) -> Iterator[Node]:
        """All nodes, those of bodies included."""
        for node in self.nodes:
            yield node
            for _, body in node.bodies:
                yield from body.walk()


def ordered(graph: Graph) -> Graph:
    """Check 1: names, known references, no cycle, in bodies too; returns the graph in topological order."""
    nodes = tuple(
        attrs.evolve(node, bodies=tuple((label, ordered(body)) for label, body in node.bodies)) for node in graph.nodes
    )
    names = _names(graph)
    position = {name: i for i, name in enumerate(names)}
    after: dict[str, list[str]] = {name: [] for name in names}
    for node in nodes:
        for ref in node.inputs:
            if ref.node not in position:
                raise PlanError(f"node {node.name!r} reads {str(ref)!r}, which does not exist", fix=f"known: {names}")
            after[ref.node].append(node.name)
    for output, ref in graph.outputs:
        if ref.node not in position:
            raise PlanError(f"output {output!r} names {str(ref)!r}, which does not exist", fix=f"known: {names}")
    by_name = {node.name: node for node in nodes}
    missing = {name: len(by_name[name].inputs) if name in by_name else 0 for name in names}
    ready = [position[name] for name in names if not missing[name]]  # sorted, so it is a heap
    order = []
    while ready:
        name = names[heapq.heappop(ready)]
        order.append(name)
        for reader in after[name]:
            missing[reader] -= 1
            if not missing[reader]:
                heapq.heappush(ready, position[reader])
    if len(order) < len(names):
        reads = {name: [ref.node for ref in by_name[name].inputs] for name in names if missing[name]}
        cycle = " -> ".join(_cycle(reads))
        raise PlanError(f"the graph has a cycle: {cycle}", fix="use recurse or worklist for repetition")
    return attrs.evolve(graph, nodes=tuple(by_name[name] for name in order if name in by_name))


def _cycle(reads: Mapping[str, list[str]]) -> list[str]:
    """A cycle among nodes that each read another of them, in the order of what flows."""
    seen: list[str] = []
    name = next(iter(reads))
    while name not in seen:
        seen.append(name)
        name = next(other for other in reads[name] if other in reads)
    return seen[seen.index(name) :][::-1]


def _names(graph: Graph) -> list[str]:
    names = [i.name for i in graph.inputs] + [n.name for n in graph.nodes]
    seen: set[str] = set()
    for name in names:
        if not NAME.fullmatch(name):
            raise PlanError(f"{name!r} is no name of a node", fix="use letters, digits and _, joined by '.' or '-'")
        if name in seen:
            raise PlanError(f"two nodes are named {name!r}", fix="rename one")
        seen.add(name)
    return names


def edges(graph: Graph, inputs: Mapping[str, Edge] | None = None) -> dict[Ref, Edge]:
    """Checks 2 and 3: infer every edge, checking domains, kinds, taint and conditional edges."""
    found: dict[Ref, Edge] = {}
    for item in graph.inputs:
        found[Ref(item.name)] = (inputs or {}).get(item.name, item.edge)
    known = {node.name: node for node in graph.nodes}
    for node in graph.nodes:
        found.update(node_edges(node, found))
        check_condition(node, known)
    return found


def check_outputs(graph: Graph, found: Mapping[Ref, Edge]) -> None:
    """Check that no private edge reaches an output."""
    if not graph.outputs:
        raise PlanError("the graph has no output", fix="return a released value")
    seen: set[str] = set()
    for name, ref in graph.outputs:
        if ref not in found:
            raise PlanError(f"output {name!r} names {str(ref)!r}, which does not exist", fix="name a node's value")
        if found[ref].private:
            raise PlanError(
                f"output {name!r} is the private value {str(ref)!r}",
                fix="release it through a mechanism first",
            )
        if name in seen:
            raise PlanError(f"two outputs are named {name!r}", fix="return a dict with a name each")
        seen.add(name)


def node_edges(node: Node, found: Mapping[Ref, Edge]) -> dict[Ref, Edge]:
    """The edges one node makes, given those before it."""
    inputs = [_edge_of(node, ref, found) for ref in node.inputs]
    try:
        check_operation(node)
        check_slots(node.operation, inputs, node.inputs)
        return _make(node, inputs)
    except DpframeError as error:
        if error.message.startswith("node "):
            raise
        raise PlanError(f"node {node.name!r}: {error.message}", fix=error.fix) from None
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:  # nothing is read yet
        raise PlanError(
            f"node {node.name!r}: operation {node.operation.name!r} can't take these inputs and parameters: "
            f"{type(error).__name__}: {error}",
            fix="check its parameters; in a plugin, let output() raise a PlanError for what it does not take",
        ) from error


def _edge_of(node: Node, ref: Ref, found: Mapping[Ref, Edge]) -> Edge:
    if ref in found:
        return found[ref]
    if any(r.node == ref.node for r in found):
        parts = [str(r) for r in found if r.node == ref.node]
        raise PlanError(f"node {node.name!r} reads {str(ref)!r}", fix=f"use one of {', '.join(parts)}")
    known = ", ".join(str(r) for r in found)
    raise PlanError(f"node {node.name!r} reads {str(ref)!r}, which does not exist", fix=f"known: {known}")


def check_operation(node: Node) -> None:
    """The operation is what its name is registered for, of one kind, and may cite its theorem."""
    operation = node.operation
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
    if tuple(label for label, _ in node.bodies) != labels:
        raise PlanError(f"operation {name!r} takes the bodies {labels}", fix="give each body once, in this order")


def check_slots(operation: Operation, inputs: list[Edge], refs: tuple[Ref, ...]) -> None:
    """Number and kinds of inputs; the taint rule and the rule for conditional edges are here."""
    check_inputs(operation.name, operation.slots, [edge.kind for edge in inputs], [str(ref) for ref in refs])
    if isinstance(operation, Post) and any(edge.private for edge in inputs):
        raise PlanError("a post node sees released and public values only", fix="release the value first")
    for edge, ref in zip(inputs, refs, strict=True):
        if edge.given is not None and operation.name != "branch":
            test = edge.given.removeprefix(ELSEWHERE)
            raise PlanError(
                f"{str(ref)!r} exists only if the test {test!r} passed",
                fix=f"use it in the body 'then' of a branch on {test!r}",
            )


def _make(node: Node, inputs: list[Edge]) -> dict[Ref, Edge]:
    operation = node.operation
    if node.bodies:
        return {Ref(node.name): Edge(Kind.RELEASED, _control_domain(node, inputs))}
    private = [e for e in inputs if e.private]
    lineages = {e.lineage for e in private}
    if len(lineages) > 1:
        raise PlanError("private inputs come from different parts", fix="combine values of the same rows only")
    lineage = next(iter(lineages), ())
    domain = operation.output(*(e.domain for e in inputs))
    if isinstance(operation, Partition):
        edge = Edge(Kind.PRIVATE, domain)
        return {
            Ref(node.name, i): attrs.evolve(edge, lineage=(*lineage, (node.name, i))) for i in range(operation.parts())
        }
    if isinstance(operation, (Post, Mechanism)):
        public = isinstance(operation, Post) and all(e.kind is Kind.PUBLIC for e in inputs)
        return {Ref(node.name): Edge(Kind.PUBLIC if public else Kind.RELEASED, domain)}
    given = None if _rests_on(operation) is None else node.inputs[1].node
    return {Ref(node.name): Edge(Kind.PRIVATE, domain, lineage, given)}


def _rests_on(operation: Operation) -> Condition | None:
    """The condition under which the node's value exists, if it has one."""
    return None if isinstance(operation, Post) else operation.declaration().rests_on


def check_condition(node: Node, known: Mapping[str, Node]) -> None:
    """What rests on a passed test must name a test that is made for it, of the very same blocks."""
    condition = _rests_on(node.operation)
    if condition is None:
        return
    blocks, test = node.inputs[0], known.get(node.inputs[1].node)
    agreement = known.get(test.inputs[0].node) if test is not None and test.inputs else None
    kinds = [n.operation.name if n is not None else "" for n in (test, agreement)]
    if test is None or agreement is None or kinds != [TEST, condition.tested]:
        raise PlanError(
            f"node {node.name!r} rests on {str(node.inputs[1])!r}, which is no test of {_article(condition.tested)}",
            fix=f"release the {condition.tested} of these blocks through {TEST} in the same graph",
        )
    if agreement.inputs[0] != blocks:
        raise PlanError(
            f"node {node.name!r} selects from {str(blocks)!r}, its test looked at {str(agreement.inputs[0])!r}",
            fix="select from the blocks that were tested",
        )
    try:
        condition.check(*(n.operation.parameters() for n in (node, test, agreement)))
    except PlanError as error:
        raise PlanError(f"node {node.name!r}: {error.message}", fix=error.fix) from None


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def body_edges(node: Node, label: str, inputs: list[Edge]) -> dict[Ref, Edge]:
    """Edges inside a body: lineage starts anew, and a passed test frees what presupposes it.

    A test is known by its name in one graph; inside a body it goes by the name of the input it is bound to, or
    by a name that no node can have.
    """
    body = dict(node.bodies)[label]
    first = 1 if node.operation.name == "branch" else 0
    refs, bound = node.inputs[first:], [attrs.evolve(e, lineage=()) for e in inputs[first:]]
    if node.operation.name == "for_each":
        bound[0] = attrs.evolve(bound[0], domain=_item(bound[0].domain))
    if len(bound) != len(body.inputs):
        raise PlanError(
            f"body {label!r} takes {len(body.inputs)} inputs, not {len(bound)}", fix="capture what the body takes"
        )
    passed = node.inputs[0].node if label == "then" and first else None
    inner = {ref.node: item.name for ref, item in zip(refs, body.inputs, strict=True) if ref.part is None}
    for i, edge in enumerate(bound):
        if edge.given is not None:
            given = None if edge.given == passed else inner.get(edge.given, ELSEWHERE + edge.given)
            bound[i] = attrs.evolve(edge, given=given)
    return edges(body, {i.name: e for i, e in zip(body.inputs, bound, strict=True)})


def _item(domain: Domain) -> Domain:
    if not isinstance(domain, ListOf):
        raise PlanError(f"for_each takes a released list, not {domain}", fix="give it a list")
    return domain.item


def _control_domain(node: Node, inputs: list[Edge]) -> Domain:
    """Infer the bodies; every private capture must come from the same rows."""
    if len({e.lineage for e in inputs if e.private}) > 1:
        raise PlanError("captured private values come from different parts", fix="capture one part a node")
    inner = {}
    for label, body in node.bodies:
        found = body_edges(node, label, inputs)
        check_outputs(body, found)
        inner[label] = {name: found[ref].domain for name, ref in body.outputs}
    domains = tuple(edge.domain for edge in inputs)
    return node.operation.declaration().result(node.operation.parameters(), domains, inner)


def describe(edge: Edge) -> dict[str, Any]:
    """JSON form of an edge without its metrics."""
    out: dict[str, Any] = {"kind": edge.kind.value, "domain": edge.domain.to_json()}
    if edge.lineage:
        out["lineage"] = [[node, part] for node, part in edge.lineage]
    if edge.given:
        out["given"] = edge.given
    return out
