"""Which values are in the units of a clip's frame, and the post node that puts each into the units of its rows.

A sum of clipped rows is a sum of ``(x − p)/r``: exact and bounded, and of no use to a reader. Its operation names
the post node (``finish``) that gives the sum of ``x − p`` from the released value and the ball, without the number of
rows. Everything here is read off a graph; no value is touched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from dpframe.kernel.graphs import Planned, Typed
from dpframe.kernel.operations import Control, Mechanism, Query
from dpframe.kernel.post_processing import Post
from dpframe.kernel.reductions.control import Divide
from dpframe.proof.spaces import Rows, WeightedRows
from dpframe.proof.typed import Edge, Ref

CLIPS = ("clip_ball", "clip_box")
RESHAPING = ("affine", "project", "rescale", "row_map", "own_transform", "express")
"""Transforms whose rows are in other units than those that went in."""


@attrs.frozen
class Framed:
    """A value in frame units.

    Attributes
    ----------
    value : Ref
        The value itself, in its own graph.
    finish : str
        The post node that gives it in the units of the rows; empty where there is none.
    ball : Ref or None
        The frame; None where it is not in this graph, as for rows that were clipped outside a body.
    rows : Ref or None
        The rows that entered the clip.
    """

    value: Ref
    finish: str
    ball: Ref | None = None
    rows: Ref | None = None


Nodes = Mapping[str, Planned]


def framed(nodes: Nodes, found: Mapping[Ref, Edge], ref: Ref) -> Framed | None:
    """The frame of a value, private or released; None for a value that is in no frame's units."""
    node = nodes.get(ref.node)
    if node is None or isinstance(node.operation, Post):
        return None
    if isinstance(node.operation, Control):
        return next(_in_bodies(node), None)
    if isinstance(node.operation, Mechanism):
        if found[ref].domain != found[node.inputs[0]].domain:  # an index or the outcome of a test
            return None
        inner = framed(nodes, found, node.inputs[0])
        return None if inner is None else attrs.evolve(inner, value=ref)
    finish = node.operation.declaration().finish
    if finish is not None:
        ball, rows = _clip(nodes, found, node)
        return Framed(ref, finish, ball, rows)
    if isinstance(node.operation, Query):  # a capped or the least of some
        inners = {attrs.evolve(f, value=ref) for f in (framed(nodes, found, r) for r in node.inputs) if f is not None}
        return inners.pop() if len(inners) == 1 else Framed(ref, "") if inners else None
    return None


def _in_bodies(node: Planned) -> Iterator[Framed]:
    for label, body in node.bodies.items():
        if not (isinstance(node.operation, Divide) and label == "body"):  # that one gives states, not results
            nodes = {n.name: n for n in body.nodes}
            yield from filter(None, (framed(nodes, body.edges, ref) for _, ref in body.outputs))


def _clip(nodes: Nodes, found: Mapping[Ref, Edge], node: Planned) -> tuple[Ref | None, Ref | None]:
    """The ball of a query that has its own, or of the clip that a statistic's rows went through."""
    names = [slot.name for slot in node.operation.slots]
    if "ball" in names:
        return node.inputs[names.index("ball")], None
    return clip_of(nodes, found, node.inputs[0])


def clip_of(nodes: Nodes, found: Mapping[Ref, Edge], ref: Ref) -> tuple[Ref | None, Ref | None]:
    """The ball of the clip that rows went through, and the rows that entered it, where these are known.

    Inside a body, the ball of clipped rows that are captured as ``rows`` is the input ``rows.ball``.
    """
    while _bounded(found, ref):
        node = nodes.get(ref.node)
        if node is None:
            ball = Ref(f"{ref.node}.ball")
            return (ball if ball in found else None), None
        if node.operation.name in CLIPS:
            return node.inputs[1], node.inputs[0]
        ref = node.inputs[0]
    return None, None


def _bounded(found: Mapping[Ref, Edge], ref: Ref) -> bool:
    domain = found[ref].domain
    return isinstance(domain, WeightedRows) or (isinstance(domain, Rows) and domain.bound != "any")


def framed_outputs(graph: Typed) -> dict[str, Framed]:
    """The outputs of a graph that are in frame units."""
    nodes = {n.name: n for n in graph.nodes}
    frames = {name: framed(nodes, graph.edges, ref) for name, ref in graph.outputs}
    return {name: frame for name, frame in frames.items() if frame is not None}


def unit_notes(graph: Typed) -> list[str]:
    """What is to be said of outputs whose units are those of rows that were mapped before the clip."""
    nodes = {n.name: n for n in graph.nodes}
    notes = []
    for name, ref in graph.outputs:
        node = nodes.get(ref.node)
        frame = framed(nodes, graph.edges, node.inputs[0]) if node is not None and _finishes(node) else None
        mapped = None if frame is None or frame.rows is None else _reshaped(nodes, frame.rows)
        if mapped is not None:
            kind = nodes[mapped].operation.name
            notes.append(
                f"output {name!r} is in the units of the rows that {mapped!r} ({kind}) makes, not of the table"
            )
    return notes


def _finishes(node: Planned) -> bool:
    return isinstance(node.operation, Post) and [s.name for s in node.operation.slots] == ["released", "ball"]


def _reshaped(nodes: Nodes, ref: Ref) -> str | None:
    """The last node above some rows that changes their units."""
    while ref.node in nodes:
        node = nodes[ref.node]
        if node.operation.name in RESHAPING:
            return node.name
        ref = node.inputs[0]
    return None
