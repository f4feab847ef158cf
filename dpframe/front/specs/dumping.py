"""From a plan to a spec: the graph as it runs, every node and number written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from dpframe.errors import SpecError
from dpframe.front.specs.budgets import written_budget
from dpframe.front.specs.building import RESERVED
from dpframe.front.specs.toml import dumps
from dpframe.planning.frames import framed_outputs
from dpframe.planning.graph import Graph, Node, parse_ref
from dpframe.planning.plan import Plan
from dpframe.proof.spaces import ADJACENCIES, Adjacency, Kind, Rows
from dpframe.proof.typed import Input, Ref


def dump(
    plan: Plan,
    *,
    name: str,
    title: str = "",
    source: str = "",
    columns: Sequence[str] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> str:
    """TOML of a plan: loading it gives the same plan again, dumping that the same bytes.

    Parameters
    ----------
    plan : Plan
    name, title, source : str
    columns : sequence of str, optional
        The columns it was run on.
    settings : mapping, optional
        Values of the keys it came from, for readers.

    Raises
    ------
    SpecError
        Where the plan holds something a spec has no words for.
    """
    document: dict[str, Any] = {"name": name, "title": title, "source": source}
    document["adjacency"] = _adjacency(plan.adjacency)
    document |= plan.adjacency.told
    named = next(
        (plan.columns[i.name] for i in plan.graph.inputs if i.name in plan.columns and i.kind is Kind.PRIVATE), None
    )
    columns = named if columns is None else columns
    if columns is not None:
        document["columns"] = list(columns)
    frames = framed_outputs(plan.typed)
    if frames:
        document["frame"] = list(frames)
    document["budget"] = written_budget(plan.budget)
    if settings:
        document["settings"] = dict(settings)
    document["tables"] = {item.name: _table(item) for item in plan.graph.inputs}
    return dumps({**document, **_graph(plan.graph)})


def _adjacency(relation: Adjacency) -> Any:
    if relation.unit is not None or ADJACENCIES.get(relation.name) == relation:
        return relation.name
    if len(relation.edits) != 1:
        raise SpecError(f"a spec has no form for the adjacency {relation.name!r}", fix="use replace_one or add_remove")
    return {"removed": relation.edits[0].removed, "added": relation.edits[0].added}


def _table(item: Input) -> dict[str, Any]:
    if not isinstance(item.domain, Rows):
        raise SpecError(f"input {item.name!r} is not a table", fix="declare it with dp.rows or dp.public_rows")
    sizes = {"kind": item.kind.value, "d": item.domain.d}
    return sizes if item.n is None else {**sizes, "n": item.n}


def _graph(graph: Graph) -> dict[str, Any]:
    nodes = [_node(node) for node in graph.nodes]
    outputs = {name: _ref(ref) for name, ref in graph.outputs}
    return {"node": nodes, "outputs": outputs} if nodes else {"outputs": outputs}


def _node(node: Node) -> dict[str, Any]:
    written: dict[str, Any] = {"name": node.name, "op": node.operation.name, "inputs": [_ref(r) for r in node.inputs]}
    defaults = {a.name: a.default for a in attrs.fields(type(node.operation))}
    for key, value in node.operation.parameters().items():
        if key in RESERVED or (value is None and defaults[key] is not None):
            raise SpecError(f"node {node.name!r}: a spec has no form for {key} = {value!r}", fix="rename or set it")
        if value is not None:
            written[key] = _escaped(value)
    for label, body in node.bodies:
        written[label] = {"inputs": [i.name for i in body.inputs], **_graph(body)}
    return written


def _escaped(value: Any) -> Any:
    if isinstance(value, list):
        return [_escaped(v) for v in value]
    if isinstance(value, dict):
        return {k: _escaped(v) for k, v in value.items()}
    return "$" + value if isinstance(value, str) and value.startswith("$") else value


def _ref(ref: Ref) -> str:
    if parse_ref(str(ref)) != ref:
        raise SpecError(f"a spec has no form for the name {ref.node!r}", fix="rename the node")
    return str(ref)
