"""From a spec to a graph: nodes are looked up by registered name, composites are expanded in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from dpframe.errors import DpframeError, PlanError, SpecError, nearest
from dpframe.front.bodies import rows_of, trace_body
from dpframe.front.program import Composite, Handle, Program, Target, Tracer, apply, in_columns, tracer
from dpframe.front.specs.budgets import as_budget
from dpframe.front.specs.document import Document
from dpframe.front.specs.expanding import expand
from dpframe.front.specs.keys import BUILT_IN, Key
from dpframe.front.specs.recipes import inputs_of, keys_of, needed, parameters_of, takes_more
from dpframe.kernel import registry
from dpframe.kernel.operations import Control, Operation
from dpframe.planning.frames import Framed, framed_outputs
from dpframe.planning.graph import Graph, bind, infer, parse_ref
from dpframe.proof.spaces import Kind, Rows
from dpframe.proof.typed import Input

RESERVED = ("name", "op", "inputs")
_NAME = re.compile(r"[A-Za-z_][\w.\-]*")


def build_graph(spec: Document) -> Graph:
    """Trace the nodes of a spec.

    Raises
    ------
    SpecError
        For an unknown operation, parameter, key or reference, each with the nearest known one.
    PlanError
        For a graph that does not fit together.
    """
    check_complete(spec)
    inputs = [_input(spec, table.name, table.kind, table.d, table.n) for table in spec.tables]
    target = Target(spec.relation, as_budget(spec.budget))
    program = Program(program_of(spec))
    names = {} if spec.columns is None else {table.name: spec.columns for table in spec.tables}
    graph = program.graph(inputs, target=target, columns=names)
    for output, frame in framed_outputs(infer(graph)).items():
        if output not in spec.frame:
            raise _in_frame_units(output, frame)
    return graph


def program_of(spec: Document) -> Callable[..., Any]:
    """What a spec describes as a function of the handles of its tables, also for a part of another program."""
    recipe = spec.recipe
    if recipe is not None:
        return lambda *tables: expand(recipe, spec, tables)

    def traced(*tables: Handle) -> dict[str, Handle]:
        scope = _Scope(spec)
        scope.results = dict(zip((table.name for table in spec.tables), tables, strict=False))
        return scope.trace(spec.nodes, spec.outputs)

    return traced


def _in_frame_units(output: str, frame: Framed) -> PlanError:
    """The refusal of an output that nobody could read, with the node to write."""
    said = f'frame = ["{output}"] at the top of the spec to release it so'
    ball = "its ball" if frame.ball is None else frame.ball
    node = f'a node with op = "{frame.finish}" and inputs = ["{frame.value}", "{ball}"], and release that; or write '
    return PlanError(
        f"output {output!r} is in the units of a clip's frame, not of the table (node {str(frame.value)!r})",
        fix="write " + (node if frame.finish else "") + said,
    )


def check_complete(spec: Document, *, sizes: bool = True) -> None:
    """Refuse a spec of which several keys are missing, naming all of them; a single one is refused where it is used.

    Parameters
    ----------
    spec : Document
    sizes : bool
        Whether d and n must be declared; a table gives them later.

    Raises
    ------
    SpecError
    """
    needs = {} if spec.adjacency else {"adjacency": "replace_one or add_remove"}
    if not spec.budget:
        needs["epsilon"] = "with delta, or rho instead"
    for name, key in spec.keys.items():
        if spec.lacks(key):
            needs[name] = key.help or key.wanted
    if sizes and spec.needs_d:
        needs["d"] = "number of columns"
    if sizes and spec.adjacency and spec.needs_n:
        needs["n"] = f"number of rows, public under {spec.adjacency.name}"
    if len(needs) > 1:
        listed = "; ".join(f"{name!r}: {what}" for name, what in needs.items())
        raise SpecError(f"spec {spec.name!r} needs {listed}", fix=" ".join(f"--set {name}=..." for name in needs))


def _input(spec: Document, name: str, kind: Kind, d: Any, n: Any) -> Input:
    width = _agreed(name, "d", spec.value("d") if d == "$d" else d, spec.width if kind is Kind.PRIVATE else None)
    if kind is Kind.PUBLIC:
        return Input(name, kind, Rows(width), n if isinstance(n, int) else None)
    if not spec.relation.n_is_public:  # never from a table: only a literal n, which its author made public
        return Input(name, kind, Rows(width), n if isinstance(n, int) else None)
    if spec.needs_n:
        raise PlanError(
            f"under {spec.relation.name} the number of rows of table {name!r} is public and must be declared",
            fix="--set n=...",
        )
    return Input(name, kind, Rows(width), _agreed(name, "n", spec.n if n == "$n" else n, spec.n))


def _agreed(table: str, word: str, written: Any, declared: int | None) -> Any:
    if declared is not None and written != declared:
        wider = "; of a table with more columns name that many: columns=..." if word == "d" else ""
        raise SpecError(f"table {table!r} has {word} = {written}, not {declared}", fix=f"leave {word} out{wider}")
    return written


class _Scope:
    """One graph being built: what names stand for besides the nodes themselves."""

    def __init__(self, spec: Document) -> None:
        self.spec = spec
        self.results: dict[str, Handle] = {}
        self.to_come: set[Any] = set()
        """Names of the node that is built and of those after it."""

    def trace(self, nodes: Sequence[Mapping[str, Any]], outputs: Mapping[str, str]) -> dict[str, Handle]:
        """Add the nodes in order and return the outputs."""
        self.to_come = {name for node in nodes if isinstance(name := node.get("name"), str)}
        for node in nodes:
            self.add(node)
            self.to_come.discard(node["name"])
        return {name: self.find(ref, f"output {name!r}") for name, ref in outputs.items()}

    # -------------------------------------------------------------------------------- one node

    def add(self, node: Mapping[str, Any]) -> None:
        """Add one node, or the nodes of a composite."""
        name, op = _word(node, "name"), _word(node, "op")
        refs = node.get("inputs", [])
        if not isinstance(refs, list) or not _texts(refs):
            raise SpecError(f"node {name!r}: inputs must be a list of references", fix='for example inputs = ["x"]')
        inputs = [self.find(ref, f"node {name!r}") for ref in refs]
        try:
            self._apply(name, op, inputs, {k: v for k, v in node.items() if k not in RESERVED})
        except DpframeError as error:
            if error.message.startswith(("node ", f"node {name!r}")):
                raise
            raise type(error)(f"node {name!r}: {error.message}", fix=error.fix) from None

    def _apply(self, name: str, op: str, inputs: list[Handle], rest: dict[str, Any]) -> None:
        known = registry.find_either(op)
        if known is None:
            every = {**registry.operations(), **registry.composites()}
            fix = f"{nearest(op, every, 'see `dpframe ops`')} (of a plugin: name its folder with --plugins DIR)"
            raise SpecError(f"unknown operation {op!r}", fix=fix)
        if not isinstance(known, type):
            parameters = self._values(rest, needed=needed(known))
            _check_call(op, known, parameters, len(inputs))
            self._keep(name, apply(name, Composite(op, parameters), *inputs))
            return
        labels = known.declaration().bodies if issubclass(known, Control) else ()
        given = self._values({k: v for k, v in rest.items() if k not in labels})
        operation = registry.build(op, in_columns(given, inputs))
        bodies = {k: rest[k] for k in labels if k in rest}
        self._keep(name, self._node(name, operation, inputs, bodies))

    def _node(self, name: str, operation: Operation, inputs: list[Handle], bodies: Mapping[str, Any]) -> Any:
        if not isinstance(operation, Control):
            return apply(name, operation, *inputs, finish=False)
        labels = operation.declaration().bodies
        missing = [label for label in labels if label not in bodies]
        if missing:
            raise SpecError(f"operation {operation.name!r} needs a body", fix=f"add [node.{missing[0]}]")
        graphs = [(label, self._body(name, operation, inputs, label, bodies[label])) for label in labels]
        return tracer().add(name, operation, inputs, graphs, exact=True)[0]

    def _body(self, name: str, operation: Control, inputs: list[Handle], label: str, body: Any) -> Graph:
        """The subgraph of a control node: its inputs are bound to the node's, and infer their edges."""
        if not isinstance(body, Mapping) or set(body) - {"inputs", "node", "outputs"}:
            raise SpecError(f"body {label!r} takes inputs, node and outputs", fix=f"write it as [node.{label}]")
        names, outputs = body.get("inputs", []), body.get("outputs", {})
        if not isinstance(outputs, Mapping) or not outputs or not _texts(outputs.values()):
            raise SpecError(f"body {label!r} needs outputs", fix='for example outputs = { value = "mean" }')
        if not isinstance(names, list) or not _texts(names) or len(set(names)) < len(names):
            raise SpecError(f"body {label!r}: inputs must be a list of distinct names", fix='as in inputs = ["rows"]')
        nodes = body.get("node", [])
        if not isinstance(nodes, list) or not all(isinstance(node, Mapping) for node in nodes):
            raise SpecError(f"body {label!r}: its nodes must be tables", fix=f"write each as [[node.{label}.node]]")
        refs, edges = [h.ref for h in inputs], [h.edge for h in inputs]
        bound = bind(operation, label, refs, edges, names)
        inner = lambda: _Scope(self.spec).trace(nodes, outputs)  # noqa: E731
        return trace_body(inner, bound, 0, rows=rows_of(operation, inputs))

    # ------------------------------------------------------------------------ names and values

    def _keep(self, name: str, made: Any) -> None:
        """Remember what a node or a composite returned under the node's own name."""
        if isinstance(made, Handle):
            self.results[name] = made
        elif isinstance(made, Mapping):
            self.results |= {f"{name}.{key}": value for key, value in made.items()}
        else:
            self.results |= {f"{name}[{i}]": value for i, value in enumerate(made)}

    def find(self, text: str, what: str) -> Handle:
        """The handle a reference stands for."""
        if text in self.results:
            return self.results[text]
        t: Tracer = tracer()
        ref = parse_ref(text)
        if ref in t.edges:
            return Handle(ref, t.edges[ref], t)
        known = {*self.results, *(str(r) for r in t.edges)}
        if ref.node.partition(".")[0] in self.to_come:
            raise SpecError(
                f"{what}: {text!r} is no earlier node, and a graph has no cycles",
                fix=f"move {what} below it; where that needs {what} in its turn, repeat by for_each or recurse",
            )
        raise SpecError(
            f"{what}: unknown reference {text!r}, neither a table nor an earlier node", fix=nearest(text, known)
        )

    def _values(self, given: Mapping[str, Any], needed: Collection[str] = ()) -> dict[str, Any]:
        """Parameters with ``$key`` replaced; of an optional key that is not set left out, or None where needed."""
        found = {k: self._value(v) for k, v in given.items()}
        return {k: v for k, v in found.items() if v is not None or k in needed}

    def _value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._value(v) for v in value]
        if isinstance(value, Mapping):
            return {k: self._value(v) for k, v in value.items()}
        if not isinstance(value, str) or not value.startswith("$"):
            return value
        return value[1:] if value.startswith("$$") else self.spec.value(value[1:])


def _texts(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _word(node: Mapping[str, Any], word: str) -> str:
    value = node.get(word)
    if not isinstance(value, str) or (word == "name" and not _NAME.fullmatch(value)):
        shown = node.get("name", "without a name")
        raise SpecError(f"node {shown!r}: {word} must be a plain word", fix=f'add {word} = "..."')
    return value


def _keys(function: Callable[..., Any]) -> list[Key]:
    """The types of a composite's parameters: those that they have as keys where it runs by its name."""
    sizes = [BUILT_IN[name] for name in parameters_of(function) if name in ("n", "d")]
    return [*keys_of(function).values(), *sizes]


def _check_type(key: Key, value: Any) -> None:
    if value is None:
        return
    try:
        key.check(value)
    except SpecError as error:
        raise SpecError(
            error.message.replace("key ", "parameter ", 1), fix=f"write {key.name} = {key.wanted}"
        ) from None


def _check_call(op: str, function: Callable[..., Any], parameters: Mapping[str, Any], inputs: int) -> None:
    """Unknown and missing parameters of a composite, before it runs."""
    named = parameters_of(function)
    for key in parameters:
        if key not in named and not takes_more(function):
            raise SpecError(f"composite {op!r} has no parameter {key!r}", fix=nearest(key, named))
    for known in _keys(function):
        _check_type(known, parameters.get(known.name))
    missing = [name for name in needed(function) if name not in parameters]
    if missing:
        raise SpecError(f"composite {op!r} needs {', '.join(missing)}", fix=f"give {missing[0]}")
    handles = inputs_of(function)
    most = len(handles) if all(p.kind is not p.VAR_POSITIONAL for p in handles) else inputs
    least = sum(1 for p in handles if p.default is p.empty and p.kind is not p.VAR_POSITIONAL)
    if not least <= inputs <= most:
        names = ", ".join(p.name for p in handles)
        raise SpecError(f"composite {op!r} takes inputs ({names}), not {inputs}", fix="give it one reference for each")
