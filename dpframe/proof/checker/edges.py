"""Whether a certificate's graph is well typed: references, kinds, taint, lineage, conditions, domains, theorem inputs.

What an operation may be is read from :data:`dpframe.proof.theorems.DECLARATIONS` by its name; everything the
certificate says about a node is compared with what follows from the nodes before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs

from dpframe.errors import CertificateError, DpframeError
from dpframe.proof.checker.reading import DIGEST, Net, Step
from dpframe.proof.spaces import Adjacency, Domain, Kind, Rows
from dpframe.proof.spaces.documents import parse_json
from dpframe.proof.theorems import DECLARATIONS, THEOREMS, Declaration, Theorem
from dpframe.proof.theorems.declaring import Condition, captured, check_inputs, is_test
from dpframe.proof.typed import Edge, Input, Path, Ref, indexed_rows, made_of

NAME = re.compile(r"\w+([.-]\w+)*")
MAX_LINEAGE = 32
OUTSIDE = "../"
"""Marks a test that a body can't name."""


@attrs.frozen(eq=False)
class Typed:
    """A graph whose edges were checked: the edge of every ref, and the same of the bodies of its nodes.

    ``own`` says that its private input is a table of its own, the program's or one category's. ``readers`` lists the
    nodes that read private values of each lineage, ``read`` the parts that are read.
    """

    net: Net
    adjacency: Adjacency
    path: Path
    own: bool = True
    edges: dict[str, Edge] = attrs.Factory(dict)
    parts: dict[str, int] = attrs.Factory(dict)
    bodies: dict[tuple[str, str], Typed] = attrs.Factory(dict)
    steps: dict[str, Step] = attrs.Factory(dict)
    readers: dict[tuple[tuple[str, int], ...], list[Step]] = attrs.Factory(dict)
    read: dict[str, set[int]] = attrs.Factory(dict)

    def edge(self, ref: Ref) -> Edge:
        """The edge of a reference.

        Raises
        ------
        CertificateError
            When there is no such node, or no such part.
        """
        if ref.node not in self.edges:
            raise CertificateError(f"unknown reference {str(ref)!r}: no node before this one has that name")
        edge, parts = self.edges[ref.node], self.parts.get(ref.node)
        if (parts is None) != (ref.part is None) or (ref.part is not None and ref.part >= (parts or 0)):
            raise CertificateError(
                f"unknown reference {str(ref)!r}: it names a part of a node without parts, or a partition as a whole"
            )
        if ref.part is None:
            return edge
        return attrs.evolve(edge, lineage=(*edge.lineage, (ref.node, ref.part)))

    def walk(self) -> Iterator[tuple[Path, Step]]:
        """Every node with its path, and then those of its bodies."""
        for step in self.net.steps:
            yield (*self.path, step.name), step
            for label, _ in step.bodies:
                yield from self.bodies[step.name, label].walk()


def check_graph(net: Net, adjacency: Adjacency) -> Typed:
    """Check a whole graph.

    Raises
    ------
    CertificateError
        Naming the node and the rule that it breaks.
    """
    # Neighbours differ in one table. With two there would have to be a word on whether both may change at once.
    if sum(source.edge.private for source in net.inputs) != 1:
        raise CertificateError("must have exactly one private table")
    for source in net.inputs:
        _check_table(source, adjacency)
    return _graph(Typed(net, adjacency, ()), {source.name: source.edge for source in net.inputs})


def _check_table(source: Input, adjacency: Adjacency) -> None:
    if source.edge.kind is Kind.RELEASED:
        raise CertificateError(f"input {source.name!r} is released before anything ran")
    if not isinstance(source.edge.domain, Rows) or source.edge.domain.bound != "any":
        raise CertificateError(f"input {source.name!r} is no table of unclipped rows")
    if source.n == 0 or (source.edge.private and adjacency.n_is_public and source.n is None):
        raise CertificateError(f"input {source.name!r} declares no number of rows, public under {adjacency.name}")
    if source.edge.private and (source.n or 0) % adjacency.unit_rows:
        raise CertificateError(f"input {source.name!r} declares no whole number of units of {adjacency.unit_rows} rows")


def _graph(typed: Typed, inputs: Mapping[str, Edge]) -> Typed:
    """Check the nodes in their order; a node may read only what stands before it, so there is no cycle."""
    for source in typed.net.inputs:
        _fresh(source.name, typed.edges)
        typed.edges[source.name] = inputs[source.name]
    for step in typed.net.steps:
        _fresh(step.name, typed.edges)
        try:
            made = _step(step, typed)
            # The edge that the certificate gives proves nothing: it is compared so that whoever reads it is not misled.
            if made != step.output:
                raise CertificateError(f"output: declared {step.output}, computed {made}")
        except DpframeError as error:
            raise at((*typed.path, step.name), error) from None
        typed.edges[step.name] = made
        if step.parts is not None:
            typed.parts[step.name] = step.parts
        _index(step, typed)
    _check_outputs(typed)
    return typed


def _index(step: Step, typed: Typed) -> None:
    typed.steps[step.name] = step
    private = [edge for edge in map(typed.edge, step.inputs) if edge.private]
    if private:
        # `_check_inputs` lets no node read rows of two lineages, so the first stands for all.
        typed.readers.setdefault(private[0].lineage, []).append(step)
    for ref in step.inputs:
        if ref.part is not None:
            typed.read.setdefault(ref.node, set()).add(ref.part)


def at(path: Path, error: DpframeError) -> CertificateError:
    """The error with the path of its node in front, unless it has one already."""
    message = error.message if error.message.startswith("node ") else f"node {'/'.join(path)!r}: {error.message}"
    return CertificateError(message)


def _fresh(name: str, edges: Mapping[str, Edge]) -> None:
    if name in edges:
        raise CertificateError(f"two nodes are named {name!r}")
    if not NAME.fullmatch(name):
        raise CertificateError(f"{name!r} is no name of a node")


def _check_outputs(typed: Typed) -> None:
    names = [name for name, _ in typed.net.outputs]
    if not names or len(set(names)) < len(names):
        raise CertificateError("a graph has no output, or two of one name")
    for name, ref in typed.net.outputs:
        if typed.edge(ref).private:
            raise CertificateError(f"output {name!r} is the private value {str(ref)!r}")


# ---------------------------------------------------------------------------------------- one node


def _step(step: Step, typed: Typed) -> Edge:
    """Check a node against its theorem, its declaration and its inputs; returns the edge that it makes."""
    inputs = [typed.edge(ref) for ref in step.inputs]
    theorem = _theorem(step)
    declared = DECLARATIONS.get(step.operation)
    # An operation that is not declared counts as post-processing: on released values it may compute anything.
    if declared is None:
        return _post(step, inputs)
    _check_citation(step, theorem, declared)
    _check_inputs(step, declared, inputs)
    if declared.public_n and not typed.adjacency.n_is_public:
        raise CertificateError(f"goes by the row index, which {typed.adjacency.name} does not keep")
    _check_own_rows(step, declared, typed)
    if theorem.kind == "composition" and step.theorem_inputs is not None:
        raise CertificateError("a rule of composition has no theorem inputs")
    if declared.kind == "control":
        return _control(step, declared, inputs, typed)
    domains = tuple(edge.domain for edge in inputs)
    domain = declared.output(step.parameters, domains)
    # The theorem must be told what follows from the parameters and domains, and nothing else.
    wanted = declared.theorem_inputs(step.parameters, domains)
    if theorem.kind != "composition" and (step.theorem_inputs is None or not same(step.theorem_inputs, wanted)):
        raise CertificateError(f"theorem inputs: declared {step.theorem_inputs}, computed {wanted}")
    if declared.kind == "mechanism":
        _check_calibration(step, declared)
        return Edge(Kind.RELEASED, domain)
    lineage = next(edge.lineage for edge in inputs if edge.private)
    if len(lineage) > MAX_LINEAGE:
        raise CertificateError(f"its rows are a part of more than {MAX_LINEAGE} partitions in a row")
    given = _tested(step, typed, declared.rests_on) if declared.rests_on is not None else None
    return Edge(Kind.PRIVATE, domain, lineage, given)


def _theorem(step: Step) -> Theorem:
    """The theorem that a node cites, if what the node says of it is true."""
    theorem = THEOREMS.get(step.theorem)
    if theorem is None:
        raise CertificateError(f"cites the unknown theorem {step.theorem!r}")
    if step.hypotheses != theorem.assumed(_own_words(step)):
        raise CertificateError(f"its hypotheses are not those of theorem {theorem.name!r}")
    if step.level != theorem.level:
        raise CertificateError(f"its level is given as {step.level}, and theorem {theorem.name!r} is {theorem.level}")
    if (step.claims is not None) != (theorem.claimed and theorem.kind != "loss"):
        raise CertificateError("claims are listed of what is asserted and is no mechanism, and of nothing else")
    return theorem


def _own_words(step: Step) -> dict[str, Any]:
    """The parameters that name a plugin's operation and its hypotheses; empty for the kernel's operations."""
    if step.operation not in DECLARATIONS or "of" not in DECLARATIONS[step.operation].parameters:
        return {}
    of, assumes = step.parameters.get("of"), step.parameters.get("assumes")
    if not isinstance(of, str) or not isinstance(assumes, list) or not all(isinstance(a, str) for a in assumes):
        raise CertificateError("names no operation of a plugin, or no list of what that assumes")
    settings, plugin = step.parameters.get("settings"), step.parameters.get("plugin")
    if not isinstance(plugin, str) or not DIGEST.fullmatch(plugin):
        raise CertificateError("names no digest of a plugin")
    if not isinstance(settings, str) or not isinstance(parse_json(settings.encode()), dict):
        raise CertificateError("gives no settings of a plugin's operation")
    return {"of": of, "assumes": assumes}


def _tested(step: Step, typed: Typed, condition: Condition) -> str:
    """Name of the test that a value rests on, which must test the very blocks it is made from, strictly enough."""
    test = typed.steps.get(step.inputs[1].node)
    agreement = typed.steps.get(test.inputs[0].node) if test is not None and test.inputs else None
    # Composition.md, 4.2: the metric holds only if *this* test, of these very blocks, can pass on both tables.
    if test is None or agreement is None or not is_test(test.operation):
        raise CertificateError(f"rests on a value that is no test of {condition.tested}")
    if agreement.operation != condition.tested or agreement.inputs[0] != step.inputs[0]:
        raise CertificateError("rests on a test of something else than what it reads")
    condition.check(step.parameters, test.parameters, agreement.parameters)
    return test.name


def _check_own_rows(step: Step, declared: Declaration, typed: Typed) -> None:
    """Blocks, and pairs where the number of rows is private, are cut from the table itself."""
    if declared.own_rows == "index":
        if not typed.own or indexed_rows(step.inputs[0], _producer(typed), typed.adjacency) is None:
            raise CertificateError("takes rows of the table with their index, and is given others")
    elif declared.own_rows == "table" or (declared.own_rows and not typed.adjacency.n_is_public):
        tables, apart = [Ref(source.name) for source in typed.net.inputs], declared.own_rows == "table"
        rows = step.inputs[0] if apart else made_of(step.inputs[0], _producer(typed))
        if not typed.own or (apart and typed.path) or rows not in tables:
            raise CertificateError("takes the table's own rows, and is given others")


def _producer(typed: Typed) -> Callable[[str], tuple[str, Ref | None] | None]:
    def made(name: str) -> tuple[str, Ref | None] | None:
        step = typed.steps.get(name)
        return None if step is None else (step.operation, step.inputs[0] if step.inputs else None)

    return made


def _post(step: Step, inputs: list[Edge]) -> Edge:
    if (step.theorem, step.kind) != ("post_processing", "post"):
        raise CertificateError(f"operation {step.operation!r} is post-processing, and cites {step.theorem!r}")
    if any(edge.private for edge in inputs):
        raise CertificateError("post-processing reads a private value")
    if step.theorem_inputs is not None or step.parts is not None or step.priced is not None or step.bodies:
        raise CertificateError("post-processing has no theorem inputs, parts, losses or bodies")
    if step.plugins:
        raise CertificateError("post-processing rests on no plugin")
    public = all(edge.kind is Kind.PUBLIC for edge in inputs)
    return Edge(Kind.PUBLIC if public else Kind.RELEASED, step.output.domain)


def _check_citation(step: Step, theorem: Theorem, declared: Declaration) -> None:
    if theorem.name != declared.theorem:
        raise CertificateError(f"operation {step.operation!r} may not cite theorem {theorem.name!r}")
    if step.kind != declared.kind:
        raise CertificateError(f"operation {step.operation!r} is a {declared.kind}, not a {step.kind}")
    if set(step.parameters) != set(declared.parameters):
        raise CertificateError(f"has exactly the parameters {', '.join(declared.parameters) or '(none)'}")
    declared.check(step.parameters)
    if set(step.plugins) != set(declared.names):
        raise CertificateError(f"gives digests of plugins of other parameters than {list(declared.names)}")
    if theorem.asserted and None in step.plugins.values():
        raise CertificateError("is asserted by a plugin that is in no file")
    parts = None if declared.parts is None else declared.parts(step.parameters)
    if step.parts != parts:
        raise CertificateError(f"number of parts: declared {step.parts}, computed {parts}")
    if step.priced is not None and declared.kind != "mechanism":
        raise CertificateError("has losses, and is no mechanism")
    if tuple(sorted(label for label, _ in step.bodies)) != tuple(sorted(declared.bodies)):
        raise CertificateError(f"must have the bodies {declared.bodies}")


def _check_inputs(step: Step, declared: Declaration, inputs: list[Edge]) -> None:
    check_inputs(step.operation, declared.takes, [edge.kind for edge in inputs], [str(ref) for ref in step.inputs])
    if declared.kind != "control" and not any(edge.private for edge in inputs):
        raise CertificateError("reads nothing private")
    if len({edge.lineage for edge in inputs if edge.private}) > 1:
        raise CertificateError("its private inputs come from different parts")
    if not captured(step.operation) and any(edge.given is not None for edge in inputs):
        raise CertificateError("reads a value that exists only if a test passed, outside that branch")


def same(a: Any, b: Any) -> bool:
    """Equality of JSON values that tells true from 1; the parsed side bounds the nesting."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def positive_noise(value: Any) -> bool:
    """Whether a noise parameter is a positive finite number, or a tuple of them."""
    return all(isinstance(x, float) and 0 < x < float("inf") for x in (value if isinstance(value, tuple) else (value,)))


def _check_calibration(step: Step, declared: Declaration) -> None:
    if step.priced is None:
        raise CertificateError("is a mechanism, and lists no losses")
    if set(step.priced.calibration) - set(declared.optional) != set(declared.calibration):
        raise CertificateError(f"its noise parameters must be exactly {', '.join(declared.calibration)}")
    for key, value in step.priced.calibration.items():
        if not positive_noise(value):
            raise CertificateError(f"its noise parameter {key!r} is not positive and finite")


# -------------------------------------------------------------------------------------- control


def _control(step: Step, declared: Declaration, inputs: list[Edge], typed: Typed) -> Edge:
    bodies = dict(step.bodies)
    released: dict[str, dict[str, Domain]] = {}
    for label in declared.bodies:
        bound = _bound(step, declared, label, inputs)
        net = bodies[label]
        if len(net.inputs) != len(bound):
            raise CertificateError(f"body {label!r} takes {len(net.inputs)} inputs, not {len(bound)}")
        apart = declared.own_rows == "table"
        for i, (source, edge) in enumerate(zip(net.inputs, bound, strict=True)):
            n = _rows_of(step, typed) if apart and i == 0 else None
            if (source.edge.kind, source.edge.domain, source.n) != (edge.kind, edge.domain, n):
                raise CertificateError(f"input {source.name!r} of body {label!r}: declared {source.edge}, given {edge}")
        names = {source.name: edge for source, edge in zip(net.inputs, bound, strict=True)}
        body = _graph(Typed(net, typed.adjacency, (*typed.path, step.name, label), apart), names)
        typed.bodies[step.name, label] = body
        released[label] = {name: body.edge(ref).domain for name, ref in net.outputs}
    if declared.theorem == "division":
        _check_children(bodies["body"])
    return Edge(Kind.RELEASED, declared.result(step.parameters, tuple(edge.domain for edge in inputs), released))


def _rows_of(step: Step, typed: Typed) -> int | None:
    """Rows of one category's table: as many as the whole one has where that is public, the others being empty."""
    if not typed.adjacency.n_is_public:
        return None
    return next(source.n for source in typed.net.inputs if Ref(source.name) == step.inputs[0])


def _bound(step: Step, declared: Declaration, label: str, inputs: list[Edge]) -> list[Edge]:
    """The edges that a body's inputs stand for. Their lineage starts anew; the passed test is presupposed no more."""
    first = captured(step.operation)
    names = [source.name for source in dict(step.bodies)[label].inputs]
    inner = {p.node: name for p, name in zip(step.inputs[first:], names, strict=False) if p.part is None}
    passed = step.inputs[0].node if label == "then" and first else None
    bound = []
    for edge in inputs[first:]:
        outer = edge.given
        given = None if outer is None or outer == passed else inner.get(outer, OUTSIDE + outer)
        bound.append(attrs.evolve(edge, lineage=(), given=given))
    if declared.hands is not None:
        bound[0] = attrs.evolve(bound[0], domain=declared.hands(inputs[0].domain))
    return bound


def _check_children(body: Net) -> None:
    # The price of a division is that of a cut in two by a rule (6). Three children, or a cut by index, would cost
    # something else; rows other than the part's own would not shrink towards the leaves.
    children = [step for step in body.steps if step.name == "children"]
    if len(children) != 1 or children[0].theorem != "rule_partition" or children[0].parts != 2:
        raise CertificateError("its body must hold one two-part partition by rule named 'children'")
    if children[0].inputs[0] != Ref(body.inputs[0].name):
        raise CertificateError("'children' must split the rows handed to the body")
