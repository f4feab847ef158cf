"""Graphs as front ends write them, and their inference: a :class:`~dpframe.proof.typed.TypedGraph`, made once.

Shapes, edge kinds and taint are checked while the graph is built, so that an error points at the
line that made it. ``Graph`` is a frozen value.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from dpframe.errors import DpframeError, PlanError
from dpframe.kernel.graphs import Planned, Typed, check_operation
from dpframe.kernel.operations import Mechanism, Operation, Partition
from dpframe.kernel.post_processing import Post
from dpframe.proof.spaces import Kind
from dpframe.proof.theorems.declaring import DECLARATIONS, Condition, captured, check_inputs, is_test
from dpframe.proof.typed import Edge, Input, Path, Ref, TypedGraph, TypedNode

__all__ = ["Graph", "Node", "bind", "check_outputs", "describe", "edges", "infer", "infer_node", "ordered"]
NAME = re.compile(r"\w+([.-]\w+)*")
ELSEWHERE = "../"
"""Before the name of a test outside a body: no node can be called so."""


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


def parse_ref(text: str) -> Ref:
    """Read ``name`` or ``name[3]``, as references are written.

    Examples
    --------
    >>> parse_ref("halves[1]")
    Ref(node='halves', part=1)
    """
    if text.endswith("]") and "[" in text:
        node, _, part = text[:-1].rpartition("[")
        if re.fullmatch("[0-9]{1,9}", part):
            return Ref(node, int(part))
    return Ref(text)


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
                raise PlanError(f"node {node.name!r}: unknown reference {str(ref)!r}", fix=f"known: {names}")
            after[ref.node].append(node.name)
    for output, ref in graph.outputs:
        if ref.node not in position:
            raise PlanError(f"output {output!r}: unknown reference {str(ref)!r}", fix=f"known: {names}")
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


def infer(graph: Graph, inputs: Mapping[str, Edge] | None = None, path: Path = ()) -> Typed:
    """Checks 2 and 3: infer every edge and every body, checking domains, kinds, taint and conditional edges.

    Parameters
    ----------
    graph : Graph
        In order, see :func:`ordered`.
    inputs : mapping, optional
        What a body's inputs are bound to, see :func:`bind`.
    path : tuple of str
        Where a body hangs.

    Raises
    ------
    PlanError
    """
    bound = {item.name: (inputs or {}).get(item.name, item.edge) for item in graph.inputs}
    # Only edges of nodes before it are known to a node: a reference forward or to itself is an unknown one.
    found = {Ref(name): edge for name, edge in bound.items()}
    nodes: dict[str, Planned] = {}
    for node in graph.nodes:
        made = infer_node(node, found, path)
        nodes[node.name] = made
        check_condition(made, nodes)
        found.update(made.edges())
    items = tuple(attrs.evolve(i, kind=bound[i.name].kind, domain=bound[i.name].domain) for i in graph.inputs)
    return TypedGraph(path, items, tuple(nodes.values()), graph.outputs, found)


def edges(graph: Graph) -> Mapping[Ref, Edge]:
    """Every edge of a graph outside its bodies; see :func:`infer`."""
    return infer(graph).edges


def check_outputs(graph: Typed) -> None:
    """Check that no private edge reaches an output."""
    if not graph.outputs:
        raise PlanError("the graph has no output", fix="return a released value")
    seen: set[str] = set()
    for name, ref in graph.outputs:
        if ref not in graph.edges:
            raise PlanError(f"output {name!r}: unknown reference {str(ref)!r}", fix="name a node's value")
        if graph.edges[ref].private:
            raise PlanError(
                f"output {name!r} is the private value {str(ref)!r}", fix="release it through a mechanism first"
            )
        if name in seen:
            raise PlanError(f"two outputs are named {name!r}", fix="return a dict with a name each")
        seen.add(name)


def infer_node(node: Node, found: Mapping[Ref, Edge], path: Path = ()) -> Planned:
    """One node with what it makes, given the edges before it."""
    inputs = [_edge_of(node, ref, found) for ref in node.inputs]
    try:
        check_operation(node.operation, tuple(label for label, _ in node.bodies))
        check_slots(node.operation, inputs, node.inputs)
        return _make(node, inputs, path)
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
        raise PlanError(
            f"node {node.name!r} reads {str(ref)!r} as a whole, which has parts", fix=f"use one of {', '.join(parts)}"
        )
    known = ", ".join(str(r) for r in found)
    raise PlanError(f"node {node.name!r}: unknown reference {str(ref)!r}", fix=f"known: {known}")


def check_slots(operation: Operation, inputs: list[Edge], refs: tuple[Ref, ...]) -> None:
    """Number and kinds of inputs; the taint rule and the rule for conditional edges are here."""
    check_inputs(operation.name, operation.slots, [edge.kind for edge in inputs], [str(ref) for ref in refs])
    if isinstance(operation, Post) and any(edge.private for edge in inputs):
        raise PlanError("a post node sees released and public values only", fix="release the value first")
    for edge, ref in zip(inputs, refs, strict=True):
        if edge.given is not None and not captured(operation.name):
            test = edge.given.removeprefix(ELSEWHERE)
            raise PlanError(
                f"{str(ref)!r} exists only if the test {test!r} passed",
                fix=f"use it in the body 'then' of a branch on {test!r}",
            )


def _make(node: Node, inputs: list[Edge], path: Path) -> Planned:
    operation = node.operation
    if node.bodies:
        return _control(node, inputs, path)
    private = [e for e in inputs if e.private]
    lineages = {e.lineage for e in private}
    if len(lineages) > 1:
        raise PlanError("private inputs come from different parts", fix="combine values of the same rows only")
    # Losses compose inside a lineage, and a value of two would be in neither: so no node reads rows of two parts.
    lineage = next(iter(lineages), ())
    domain = operation.output(*(e.domain for e in inputs))
    if isinstance(operation, Partition):
        edge = Edge(Kind.PRIVATE, domain, lineage)
        return TypedNode(node.name, operation, node.inputs, edge, operation.parts())
    if isinstance(operation, (Post, Mechanism)):
        public = isinstance(operation, Post) and all(e.kind is Kind.PUBLIC for e in inputs)
        return TypedNode(node.name, operation, node.inputs, Edge(Kind.PUBLIC if public else Kind.RELEASED, domain))
    # The value exists on one side of some neighbours only: it may go nowhere but into that test's branch (4.2).
    given = None if _rests_on(operation) is None else node.inputs[1].node
    return TypedNode(node.name, operation, node.inputs, Edge(Kind.PRIVATE, domain, lineage, given))


def _rests_on(operation: Operation) -> Condition | None:
    """The condition under which the node's value exists, if it has one."""
    return None if isinstance(operation, Post) else operation.declaration().rests_on


def check_condition(node: Planned, known: Mapping[str, Planned]) -> None:
    """What rests on a passed test must name a test that is made for it, of the very same blocks."""
    condition = _rests_on(node.operation)
    if condition is None:
        return
    blocks, test = node.inputs[0], known.get(node.inputs[1].node)
    agreement = known.get(test.inputs[0].node) if test is not None and test.inputs else None
    looked = agreement is not None and agreement.operation.name == condition.tested
    if test is None or agreement is None or not looked or not is_test(test.operation.name):
        through = " or ".join(filter(is_test, DECLARATIONS))
        raise PlanError(
            f"node {node.name!r} rests on {str(node.inputs[1])!r}, which is no test of {_article(condition.tested)}",
            fix=f"release the {condition.tested} of these blocks through {through} in the same graph",
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


def bind(
    operation: Operation, label: str, refs: Sequence[Ref], inputs: Sequence[Edge], names: Sequence[str]
) -> dict[str, Edge]:
    """What the inputs ``names`` of a body stand for: lineage starts anew, and a passed test frees what presupposes it.

    A test is known by its name in one graph; inside a body it goes by the name of the input it is bound to, or
    by a name that no node can have.
    """
    first, hands = captured(operation.name), operation.declaration().hands
    # Inside, the captured rows are the whole table: the body's price is resolved at the node, under the edits that
    # reach it, and composes with the lineage outside.
    bound = [attrs.evolve(e, lineage=()) for e in inputs[first:]]
    if hands is not None:
        bound[0] = attrs.evolve(bound[0], domain=hands(bound[0].domain))
    if len(bound) != len(names):
        raise PlanError(
            f"body {label!r} takes {len(names)} inputs, not {len(bound)}", fix="capture what the body takes"
        )
    # Only `then` of the very test frees what rests on it; elsewhere the value keeps the name of the test it needs.
    passed = refs[0].node if label == "then" and first else None
    inner = {ref.node: name for ref, name in zip(refs[first:], names, strict=True) if ref.part is None}
    for i, edge in enumerate(bound):
        if edge.given is not None:
            given = None if edge.given == passed else inner.get(edge.given, ELSEWHERE + edge.given)
            bound[i] = attrs.evolve(edge, given=given)
    return dict(zip(names, bound, strict=True))


def _control(node: Node, inputs: list[Edge], path: Path) -> Planned:
    """Infer the bodies; every private capture must come from the same rows."""
    if len({e.lineage for e in inputs if e.private}) > 1:
        raise PlanError("captured private values come from different parts", fix="capture one part a node")
    bodies, released = {}, {}
    for label, body in node.bodies:
        names = [item.name for item in body.inputs]
        bound = bind(node.operation, label, node.inputs, inputs, names)
        bodies[label] = inner = infer(body, bound, (*path, node.name, label))
        check_outputs(inner)
        released[label] = {name: inner.edges[ref].domain for name, ref in inner.outputs}
    domains = tuple(edge.domain for edge in inputs)
    domain = node.operation.declaration().result(node.operation.parameters(), domains, released)
    return TypedNode(node.name, node.operation, node.inputs, Edge(Kind.RELEASED, domain), bodies=bodies)


def describe(edge: Edge) -> dict[str, Any]:
    """JSON form of an edge without its metrics."""
    out: dict[str, Any] = {"kind": edge.kind.value, "domain": edge.domain.to_json()}
    if edge.lineage:
        out["lineage"] = [[node, part] for node, part in edge.lineage]
    if edge.given:
        out["given"] = edge.given
    return out
