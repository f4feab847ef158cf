"""The graph of a plan as SVG, from the graph that its certificate lists: released files suffice to draw one.

Tables stand at the top, outputs at the bottom, between them the steps, framed by stage. What a private value flows
along is drawn in another colour than what is released or public. Everything in it is escaped, and nothing is fetched.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from dpframe.planning.layout import Box, Layout, layout
from dpframe.proof.losses import loss_from_json
from dpframe.proof.theorems.declaring import captured
from dpframe.shown import cut, programs, safe, within

MANY = 40
"""From so many steps on only tables, mechanisms and outputs are drawn, unless all are asked for."""
READS = ("statistic", "gather", "blocks")
SIGN, HIGH, SIGNS = 6.4, 14.0, 26
"""Width and height of a line's signs, and how many there may be."""
STYLE = """
.dpf{--paper:#fff;--ink:#1f2328;--soft:#59636e;--frame:#f4f5f7;--edge:#c3c9d0;--flow:#8b949e;--private:#b3541e;
--step:#fff;--spend:#ffe3cf;--spent:#b3541e;--table:#dbe7f5;--told:#dff0e3;
font:11px system-ui,-apple-system,"Segoe UI",sans-serif}
@media (prefers-color-scheme:dark){.dpf{--paper:#181818;--ink:#e6e6e6;--soft:#c4c4c4;--frame:#232527;--edge:#4a4f55;
--flow:#767c84;--private:#f0a370;--step:#2c2f33;--spend:#5a3620;--spent:#f0a370;--table:#24384f;--told:#24422d}}
.dpf text{fill:var(--ink)}.dpf .s{fill:var(--soft)}.dpf .b{font-weight:600}
.dpf .paper{fill:var(--paper)}.dpf .frame{fill:var(--frame);stroke:var(--edge)}
.dpf .box{stroke:var(--edge);fill:var(--step)}.dpf .mechanism{fill:var(--spend);stroke:var(--spent)}
.dpf .table{fill:var(--table)}.dpf .released,.dpf .output{fill:var(--told)}
.dpf .flow{fill:none;stroke:var(--flow)}.dpf .head{fill:var(--flow)}
.dpf .private{stroke:var(--private)}.dpf .head.private{fill:var(--private);stroke:none}
"""
LEGEND = (
    ("table", "table"),
    ("", "step on private rows"),
    ("mechanism", "mechanism: adds noise, spends"),
    ("released", "free step on released values"),
)


@attrs.frozen
class Step:
    """A node as it is drawn: what stands in its box, what its value is, and what is said when one points at it."""

    name: str
    stage: str
    look: str
    private: bool
    lines: tuple[str, ...]
    told: str
    part: float = 0.0
    """Of the loss, where a mechanism's is known."""


def svg(content: Mapping[str, Any], *, full: bool | None = None) -> str:
    """The graph of a certificate as a picture.

    Parameters
    ----------
    content : mapping
        The certificate.
    full : bool, optional
        Every step; or tables, mechanisms and outputs alone. By default the first for up to 40 steps.

    Returns
    -------
    str
        An ``<svg>`` element, for a file or a page. It follows a dark setting.
    """
    count = _count(content["graph"])
    every = count <= MANY if full is None else full
    steps = {step.name: step for step in _steps(content, every=every)}
    arrows = list(dict.fromkeys(_arrows(content["graph"], ())))
    left_out = ""
    if not every:
        kept = {name: s for name, s in steps.items() if s.look in ("table", "mechanism", "output")}
        left_out = f", {len(steps) - len(kept)} free steps left out"
        steps, arrows = kept, _shortened(list(steps), kept, arrows)
    boxes = [Box(s.name, s.stage, _wide(s.lines), HIGH * len(s.lines) + 8) for s in steps.values()]
    placed = layout(boxes, arrows)
    return _drawn(steps, arrows, placed, f"The graph of a plan: {count} steps{left_out}")


# ------------------------------------------------------------------------------------------- the graph


def _count(graph: Mapping[str, Any]) -> int:
    return sum(1 + sum(map(_count, node.get("bodies", {}).values())) for node in graph["nodes"])


def _steps(content: Mapping[str, Any], *, every: bool) -> Iterator[Step]:
    graph = content["graph"]
    whole = loss_from_json(content["loss"]).rho
    for item in graph["inputs"]:
        size = f"n = {item['n']:,}" if item.get("n") else "n private" if item["kind"] == "private" else ""
        lines = (cut(item["name"], SIGNS), f"{item['kind']} table", *([size] if size else []))
        yield Step(item["name"], "", "table", item["kind"] == "private", lines, f"{item['kind']} table {item['name']}")
    yield from _inside(graph, (), whole, every=every)
    for name, _ in graph["outputs"]:
        yield Step(f"/{name}", "", "output", False, (cut(name, SIGNS), "output"), f"output {name}")


def _inside(graph: Mapping[str, Any], path: tuple[str, ...], whole: float, *, every: bool) -> Iterator[Step]:
    inside = programs(node["name"] for node in graph["nodes"])
    turns = _passes(graph)
    for node in graph["nodes"]:
        name = node["name"]
        stage = "/".join(path) if path else inside[name]
        short = within(name, stage)
        private = node["output"]["kind"] == "private" and "mechanism" not in node
        look = "mechanism" if "mechanism" in node else "" if private else "released"
        operation = str(node["parameters"].get("of") or node["operation"])
        part = _part(node, whole)
        costs = [_noise(node), _percent(part)] if "mechanism" in node else []
        turn = turns[name] if node["kind"] in READS or ("mechanism" in node and not every) else 0
        waits = [f"pass {turn}" + (" of the body" if path else "")] if turn else []
        level = [f"level: {node['level']}"] if "level" in node else []
        lines = [short, operation, *filter(None, costs), *waits]
        told = ["/".join((*path, name)), operation, f"by {node['theorem']}", *level, *filter(None, costs), *waits]
        shown = tuple(cut(text, SIGNS) for text in lines)
        yield Step("/".join((*path, name)), stage, look, private, shown, "\n".join(told), part)
        for label, body in node.get("bodies", {}).items():
            yield from _inside(body, (*path, name, label), whole, every=every)


def _noise(node: Mapping[str, Any]) -> str:
    return ", ".join(f"{k}={v:.4g}" for k, v in node["mechanism"]["calibration"].items() if isinstance(v, float))


def _part(node: Mapping[str, Any], whole: float) -> float:
    """Which part of the whole loss a mechanism's is, of ρ; 0 where it is not known."""
    if "mechanism" not in node or not 0 < whole < math.inf:
        return 0.0
    rho = loss_from_json(node["mechanism"]["worst"]["loss"]).rho
    return rho / whole if rho < math.inf else 0.0


def _percent(part: float) -> str:
    return "" if not part else f"{100 * part:.1f} % of the loss" if part >= 0.0005 else "<0.1 % of the loss"


def _passes(graph: Mapping[str, Any]) -> dict[str, int]:
    """By node the passes that are over when it is there, as :mod:`dpframe.planning.passes` counts them."""
    depth: dict[str, int] = {}
    for node in graph["nodes"]:
        inner = [max(_passes(body).values(), default=0) for body in node.get("bodies", {}).values()]
        takes = 1 if node["kind"] in READS else max(inner, default=0)
        depth[node["name"]] = takes + max((depth.get(ref[0], 0) for ref in node["inputs"]), default=0)
    return depth


def _arrows(
    graph: Mapping[str, Any], path: tuple[str, ...], bound: Mapping[str, str] | None = None
) -> Iterator[tuple[str, str]]:
    """Every reference, from and to; a body's input is what it is bound to, and its holder reads what it returns."""
    known = bound or {}
    for node in graph["nodes"]:
        here = "/".join((*path, node["name"]))
        sources = [known.get(ref[0], "/".join((*path, ref[0]))) for ref in node["inputs"]]
        yield from ((source, here) for source in sources)
        first = captured(node["operation"])
        for label, body in node.get("bodies", {}).items():
            inner = {item["name"]: source for item, source in zip(body["inputs"], sources[first:], strict=True)}
            yield from _arrows(body, (*path, node["name"], label), inner)
            for _, ref in body["outputs"]:
                yield inner.get(ref[0], "/".join((*path, node["name"], label, ref[0]))), here
    if not path:
        yield from ((ref[0], f"/{name}") for name, ref in graph["outputs"])


def _shortened(
    names: Sequence[str], kept: Mapping[str, Step], arrows: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Arrows between what is kept, through what is left out, without those that others imply."""
    from networkx import DiGraph, topological_sort, transitive_reduction

    graph = DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(arrows)
    above: dict[str, set[str]] = {}
    for name in topological_sort(graph):
        found = [({p} if p in kept else above[p]) for p in graph.predecessors(name)]
        above[name] = set().union(*found)
    less = DiGraph()
    less.add_nodes_from(kept)
    less.add_edges_from((start, name) for name in kept for start in above[name])
    return list(transitive_reduction(less).edges())


# ------------------------------------------------------------------------------------------- drawing


def _wide(lines: Sequence[str]) -> float:
    return max(70.0, SIGN * max(map(len, lines)) + 14)


def _drawn(steps: Mapping[str, Step], arrows: Sequence[tuple[str, str]], placed: Layout, title: str) -> str:
    top = 26.0
    width, height = max(placed.width, 690.0), placed.height + top
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dpf" role="img" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}"><title>{safe(title)}</title><style>{STYLE}</style>'
    )
    out = [
        head,
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
        *_legend(),
        f'<g transform="translate(0 {top:.0f})">',
    ]
    parts: dict[str, float] = {}
    for step in steps.values():
        parts[step.stage] = parts.get(step.stage, 0.0) + step.part
    for frame in placed.frames:
        heading = ": ".join(filter(None, (cut(frame.stage, 60), _percent(parts[frame.stage]))))
        out.append(
            f'<rect class="frame" x="{frame.x:.1f}" y="{frame.y:.1f}" width="{frame.width:.1f}" '
            f'height="{frame.height:.1f}" rx="6"/>'
            f'<text class="s b" x="{frame.x + 8:.1f}" y="{frame.y + 16:.1f}">{safe(heading)}</text>'
        )
    for start, end in sorted(arrows, key=lambda a: steps[a[0]].private):
        out.append(_arrow(placed.paths[start, end], private=steps[start].private))
    out += [_box(step, *placed.places[step.name]) for step in steps.values()]
    return "\n".join([*out, "</g></svg>"])


def _legend() -> Iterator[str]:
    x = 12.0
    for look, text in LEGEND:
        yield f'<rect class="box {look}" x="{x:.0f}" y="8" width="14" height="11" rx="3"/>'
        yield f'<text class="s" x="{x + 19:.0f}" y="17">{safe(text)}</text>'
        x += 32 + 6.4 * len(text)


def _box(step: Step, x: float, y: float) -> str:
    width, height = _wide(step.lines), HIGH * len(step.lines) + 8
    round_ = 10 if step.look in ("output", "table") else 4
    middle = x + width / 2
    texts = "".join(
        f'<text class="{"b" if i == 0 else "s"}" x="{middle:.1f}" y="{y + HIGH * (i + 1):.1f}" '
        f'text-anchor="middle">{safe(line)}</text>'
        for i, line in enumerate(step.lines)
    )
    return (
        f'<g><title>{safe(step.told)}</title><rect class="box {step.look}" x="{x:.1f}" y="{y:.1f}" '
        f'width="{width:.1f}" height="{height:.1f}" rx="{round_}"/>{texts}</g>'
    )


def _arrow(corners: Sequence[tuple[float, float]], *, private: bool) -> str:
    kind = " private" if private else ""
    (x1, y1) = corners[-1]
    if len(corners) == 3:
        (x0, start), (_, y0) = corners[:2]
        bend = (y1 - y0) / 2
        path = f"M{x0:.1f} {start:.1f}V{y0:.1f}C{x0:.1f} {y0 + bend:.1f} {x1:.1f} {y1 - bend:.1f} {x1:.1f} {y1 - 4:.1f}"
    else:
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in [*corners[:-1], (x1, y1 - 4)])
    head = f"M{x1:.1f} {y1:.1f}l-3.5 -6h7z"
    return f'<path class="flow{kind}" d="{path}"/><path class="head{kind}" d="{head}"/>'
