"""How a plan shows itself: a few lines, a page in a notebook, and its graph; all from the plan alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dpframe.kernel.graphs import Typed
from dpframe.planning.certificate import certificate
from dpframe.planning.explain import counted, ledger, rows, stages
from dpframe.planning.picture import svg
from dpframe.planning.priced import Priced
from dpframe.planning.refusing import describe_loss
from dpframe.proof.theorems.declaring import captured
from dpframe.proof.typed import Ref
from dpframe.shown import cut, few, folded, items, numbers, safe, table, total

Arrow = tuple[str, str, int | None]
"""From, to, and which part, where what is read is a part."""

SHAPES = {"input": ("[(", ")]"), "mechanism": ("{{", "}}"), "post": ("(", ")"), "output": ("([", "])")}
"""Brackets of Mermaid by kind; anything else, which works on private values, is a box."""


def brief(plan: Priced) -> str:
    """What is promised and how large the plan is, in three lines."""
    nodes = [node for _, node in plan.typed.walk()]
    assumed = sum(len(n.operation.cited().assumed(n.operation.parameters())) for n in nodes)
    passes = max(plan.passes.values(), default=0)
    sizes = f"{len(nodes)} nodes, {len(plan.weighings)} mechanisms, passes over the data: {passes}"
    ends = [f"outputs: {few([name for name, _ in plan.typed.outputs])}"]
    ends += [f"given {counted(assumed)}"] if assumed else []
    ends += [f"warnings: {len(plan.warnings)}"] if plan.warnings else []
    budget = numbers(plan.budget.to_json().items())
    return f"<Plan: {total(plan.spent)}; budget {budget}\n {sizes}\n {'; '.join(ends)}; see explain(), svg()>"


def notebook(plan: Priced) -> str:
    """The same as HTML, with what each mechanism costs, the warnings, and the ledger folded."""
    spent = [
        (
            row["name"],
            row["operation"],
            _share(row),
            _noise(row),
            describe_loss(plan.node_loss(tuple(row["name"].split("/")))),
        )
        for row in rows(plan)
        if "loss" in row
    ]
    header = ("mechanism", "operation", "share", "noise", "loss")
    scrolled = '<div class="wide" style="overflow-x:auto">{}</div>'.format
    return (
        f"<pre>{safe(brief(plan))}</pre>"
        + (items(plan.warnings) if plan.warnings else "")
        + folded(f"What is spent on what: {len(spent)} mechanisms", table(header, spent))
        + folded("The graph", scrolled(picture(plan)))
        + folded("The ledger", scrolled(f"<pre>{safe(ledger(plan))}</pre>"))
    )


# ------------------------------------------------------------------------------------------- the graph


def arrows(graph: Typed, bound: Mapping[str, tuple[str, int | None]] | None = None) -> Iterator[Arrow]:
    """Every reference of a graph and its bodies, by path; a body's input is what it is bound to.

    What a body returns is read by the node that holds the body.
    """

    def source(ref: Ref) -> tuple[str, int | None]:
        name, part = (bound or {}).get(ref.node, ("/".join((*graph.path, ref.node)), None))
        return name, part if ref.part is None else ref.part

    for node in graph.nodes:
        here = "/".join((*graph.path, node.name))
        for ref in node.inputs:
            name, part = source(ref)
            yield name, here, part
        first = captured(node.operation.name)  # of a branch, bodies do not take the test
        for body in node.bodies.values():
            inner = {i.name: source(ref) for i, ref in zip(body.inputs, node.inputs[first:], strict=True)}
            yield from arrows(body, inner)
            for _, ref in body.outputs:
                name, part = inner.get(ref.node, ("/".join((*body.path, ref.node)), ref.part))
                yield name, here, part


def picture(plan: Priced, *, full: bool | None = None) -> str:
    """The graph as an ``<svg>`` element, drawn from the certificate."""
    proof = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    return svg(proof, full=full)


def networkx(plan: Priced) -> Any:
    """A ``networkx.MultiDiGraph``: an edge a reference, nodes by their path in the ledger."""
    from networkx import MultiDiGraph

    graph = MultiDiGraph()
    for item in plan.typed.inputs:
        graph.add_node(item.name, kind="input", edge=item.kind.value)
    for row, stage in zip(rows(plan), stages(plan), strict=True):
        told = {k: row[k] for k in ("operation", "kind", "theorem", "level")}
        told |= {"stage": stage, "pass": row["pass"], "share": row.get("share"), "noise": _noise(row) or None}
        graph.add_node(row["name"], **{k: v for k, v in told.items() if v is not None})
    for name, reader, part in arrows(plan.typed):
        graph.add_edge(name, reader, **({} if part is None else {"part": part}))
    graph.graph["outputs"] = {name: ref.node for name, ref in plan.typed.outputs}
    return graph


def mermaid(plan: Priced) -> str:
    """A Mermaid flowchart: a box a node, in the box of its stage or body, then the arrows."""
    lines = ["flowchart TD"]
    ids: dict[str, str] = {}

    def box(name: str, kind: str, *label: str) -> str:
        ids[name] = f"n{len(ids)}"
        left, right = SHAPES.get(kind, ("[", "]"))
        return f'{ids[name]}{left}"{"<br/>".join(_quoted(text) for text in label if text)}"{right}'

    lines += [f"  {box(item.name, 'input', item.name)}" for item in plan.typed.inputs]
    groups: dict[str, list[str]] = {}
    shares: dict[str, float] = {}
    for row, stage in zip(rows(plan), stages(plan), strict=True):
        share = f"share {_share(row)}" if _share(row) else ""
        turn = f"pass {row['pass']}" if row["pass"] else ""
        label = (row["name"].rpartition("/")[2], row.get("own", row["operation"]), share, _noise(row), turn)
        groups.setdefault(stage, []).append(box(row["name"], row["kind"], *label))
        shares[stage] = shares.get(stage, 0.0) + (row.get("share") or 0.0)
    for i, (stage, boxes) in enumerate(groups.items()):
        title = f"{cut(stage)}, share {shares[stage]:.4g}" if shares[stage] else cut(stage)
        inside = [f"    {text}" for text in boxes]
        lines += [f'  subgraph s{i}["{_quoted(title)}"]', *inside, "  end"] if stage else [t[2:] for t in inside]
    for name, reader, part in arrows(plan.typed):
        lines.append(f"  {ids[name]} -->{'' if part is None else f'|part {part}|'} {ids[reader]}")
    for i, (name, ref) in enumerate(plan.typed.outputs):
        left, right = SHAPES["output"]
        lines.append(f'  {ids[ref.node]} --> o{i}{left}"{_quoted(name)}"{right}')
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """Text for a label: all but letters, digits and a few signs as Mermaid's codes for characters."""
    return re.sub(r"[^\w .,=+-]|[.+-](?= )", lambda found: f"#{ord(found[0])};", cut(text, 80))


def _share(row: Mapping[str, Any]) -> str:
    return "" if row.get("share") is None else f"{row['share']:.4g}"


def _noise(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{k}={v:.4g}" for k, v in row.get("calibration", {}).items() if isinstance(v, float))
