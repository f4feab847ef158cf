"""The typed graph: what planner, certificate, checker and engine share, inferred once and never changed.

A front end writes a graph of operations (``dpframe.planning.graph``). Inference gives each reference its edge and every
control node the typed graphs of its bodies; nobody infers them again.

Examples
--------
>>> str(Ref("halves", part=1))
'halves[1]'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Generic, TypeVar

import attrs

from dpframe.errors import PlanError
from dpframe.proof.spaces import REPLACE_ONE, Adjacency, Domain, Kind
from dpframe.proof.spaces.fixed import fixed
from dpframe.proof.theorems.declaring import DECLARATIONS

Lineage = tuple[tuple[str, int], ...]
Path = tuple[str, ...]
"""Names of nodes and labels of bodies, from the outside in."""


@attrs.frozen
class Ref:
    """A reference to a node's value, or to one part of a partition."""

    node: str
    part: int | None = None

    def __str__(self) -> str:
        return self.node if self.part is None else f"{self.node}[{self.part}]"


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


Op_co = TypeVar("Op_co", covariant=True)
"""What is known of an operation: the planner's hold more than the checker's."""


@attrs.frozen(eq=False)
class TypedNode(Generic[Op_co]):
    """One operation on references, with what it makes.

    ``output`` is its edge (of a partition: that of each part, without the last step of its lineage), ``parts`` the
    number of parts of a partition, ``bodies`` the typed graphs of a control node by label.
    """

    name: str
    operation: Op_co
    inputs: tuple[Ref, ...]
    output: Edge
    parts: int | None = None
    bodies: Mapping[str, TypedGraph[Op_co]] = attrs.field(factory=dict, converter=fixed)

    def edges(self) -> dict[Ref, Edge]:
        """The edge of every reference to it."""
        if self.parts is None:
            return {Ref(self.name): self.output}
        # The node's name is in the lineage: parts of two partitions of one table are never taken for the same rows.
        return {
            Ref(self.name, i): attrs.evolve(self.output, lineage=(*self.output.lineage, (self.name, i)))
            for i in range(self.parts)
        }


@attrs.frozen(eq=False)
class TypedGraph(Generic[Op_co]):
    """Inputs, nodes in the order they may run, outputs, and the edge of every reference; ``path`` is where it hangs."""

    path: Path
    inputs: tuple[Input, ...]
    nodes: tuple[TypedNode[Op_co], ...]
    outputs: tuple[tuple[str, Ref], ...]
    edges: Mapping[Ref, Edge] = attrs.field(converter=fixed)

    def node(self, name: str) -> TypedNode[Op_co]:
        """The node of that name."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise PlanError(f"no node {name!r}")

    def walk(self) -> Iterator[tuple[Path, TypedNode[Op_co]]]:
        """All nodes with their paths, those of bodies after the node that holds them."""
        for node in self.nodes:
            yield (*self.path, node.name), node
            for body in node.bodies.values():
                yield from body.walk()


Producer = tuple[str, Ref | None]
"""An operation's name and its first input."""


def made_of(ref: Ref, producer: Callable[[str], Producer | None]) -> Ref:
    """What transforms make these rows of, one by one and each in its place: a table, if they are all of a table's."""
    while (made := producer(ref.node)) is not None and made[1] is not None:
        declared = DECLARATIONS.get(made[0])
        if declared is None or declared.kind != "transform":
            return ref
        ref = made[1]
    return ref


def indexed_rows(ref: Ref, producer: Callable[[str], Producer | None], relation: Adjacency) -> str | None:
    """The table whose own rows these are, or a part of them, each with its index in the table; None if of none.

    Transforms keep a row's index, and so do partitions that draw nothing. Parts are taken under replace-one only, where
    the two edits of neighbours have one index; and none has one where the number of rows is private.

    Parameters
    ----------
    ref : Ref
        Of the rows.
    producer : callable
        Name to (operation, first input) of the node that makes it; None of a table.
    relation : Adjacency
    """
    if not relation.n_is_public:
        return None
    # Parts of a part are followed up to the table; what gathers rows, or draws where they go, keeps no index.
    direct = True
    while (made := producer(ref.node)) is not None:
        declared = DECLARATIONS.get(made[0])
        kept = declared is not None and declared.kind in ("transform", "partition") and not declared.draws
        if not kept or made[1] is None:
            return None
        direct, ref = False, made[1]
    return ref.node if direct or relation.edits == (REPLACE_ONE,) else None
