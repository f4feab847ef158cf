"""Running control nodes: branches, loops with a shared total, divisions, and a table for each category."""

from __future__ import annotations

from collections import deque
from typing import Any

import attrs

from dpframe.errors import RunError
from dpframe.kernel.graphs import Planned
from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.operations import Control, Transform
from dpframe.kernel.post_processing import Quality
from dpframe.kernel.quality import FAILED, quality_of, worst
from dpframe.kernel.reductions.control import Branch, ByCategory, Category, Divide, ForEach, Recurse
from dpframe.proof.spaces import Outcome
from dpframe.proof.typed import Path, Ref
from dpframe.runtime.scope import Evaluation, Stop
from dpframe.runtime.views import View


def run(scope: Evaluation, node: Planned, operation: Control, inputs: list[Any]) -> Any:
    """Evaluate a control node."""
    if isinstance(operation, Branch):
        outcome: Outcome = inputs[0]
        return body(scope, node, "then" if outcome.passed else "otherwise", inputs[1:], ())
    if isinstance(operation, ForEach):
        return _for_each(scope, node, operation, inputs)
    if isinstance(operation, Divide):
        return _divide(scope, node, operation, inputs)
    if isinstance(operation, ByCategory):
        return _by_category(scope, node, operation, inputs)
    raise RunError(f"node {node.name!r}: no way to run {operation.name!r}")


def body(scope: Evaluation, node: Planned, label: str, inputs: list[Any], place: tuple[str, ...]) -> Any:
    """Run a body and return its first output."""
    inner = scope.inner(node, label, inputs, place)
    return inner.run((inner.graph.outputs[0][1],))[0]


def _for_each(scope: Evaluation, node: Planned, operation: ForEach, inputs: list[Any]) -> list[Any]:
    items = list(inputs[0])[: operation.max_length]
    # No item, no release: the loop's total is spent in the certificate all the same.
    if not items:
        return []
    # The number of items is released, so what each may spend is too.
    looped = attrs.evolve(scope, share=scope.share / len(items), values=scope.values)
    return [body(looped, node, "body", [item, *inputs[1:]], (f"item{i}",)) for i, item in enumerate(items)]


def _by_category(scope: Evaluation, node: Planned, operation: ByCategory, inputs: list[Any]) -> list[Category]:
    found = [_category(scope, node, place, inputs) for place in range(operation.categories)]
    failed = [f"category {i}: {one.reason}" for i, one in enumerate(found) if one.status == "failed"]
    judged = worst([one.quality for one in found] + [Quality("poor", why) for why in failed])
    scope.session.judged[*scope.path, node.name] = judged
    return found


def _category(scope: Evaluation, node: Planned, place: int, inputs: list[Any]) -> Category:
    """Run the body on the table of one category; if it finds no answer there, that category alone fails."""
    whole: View = inputs[0]
    own = View(whole.base.of_category(place, drops=whole.n is None), whole.n)
    session = attrs.evolve(scope.session, judged={}, remarks=[])
    inner = attrs.evolve(scope, session=session).inner(node, "body", [own, *inputs[1:]], (f"category{place}",))
    names = [name for name, _ in inner.graph.outputs]
    try:
        values = inner.run(tuple(ref for _, ref in inner.graph.outputs))
    # A category without an answer ends by itself: that the others go on tells no more than released values do.
    except Stop as stop:
        return Category("failed", {}, FAILED, stop.failed.reason, stop.failed.advice)
    finally:
        scope.session.remarks.extend(f"category {place}: {remark}" for remark in session.remarks)
    judged = {path[len(inner.path) :]: quality for path, quality in session.judged.items()}
    outputs, quality = dict(zip(names, values, strict=True)), quality_of(inner.graph, judged)
    return Category("released", outputs, quality, rows=counted(inner), judged=judged)


def counted(inner: Evaluation) -> float | None:
    """The released noisy number of rows of a scope's table; None where it was not released."""
    nodes = {node.name: node for node in inner.graph.nodes}
    for node in inner.graph.nodes:
        source = nodes.get(node.inputs[0].node) if node.inputs else None
        if not isinstance(node.operation, Additive) or source is None or source.operation.name != "count":
            continue
        above = nodes.get(source.inputs[0].node)
        while above is not None and isinstance(above.operation, Transform):
            above = nodes.get(above.inputs[0].node)
        if above is None and Ref(node.name) in inner.values:
            return float(inner.values[Ref(node.name)][0])
    return None


@attrs.frozen(eq=False)
class _Part:
    """Rows that wait to be split, their released state and their place in the tree."""

    view: View
    state: Any
    place: tuple[str, ...]


def _divide(scope: Evaluation, node: Planned, operation: Divide, inputs: list[Any]) -> list[Any]:
    waiting: deque[_Part] = deque([_Part(inputs[0], inputs[1], ())])
    leaves: list[Any] = []
    taken: dict[Path, bool] = {}
    while waiting:
        part = waiting.pop() if isinstance(operation, Recurse) else waiting.popleft()
        # Depth is what the certificate prices. The number of leaves bounds a released number and no loss.
        may_split = len(part.place) < operation.max_depth and len(leaves) + len(waiting) + 2 <= operation.max_leaves
        children = _split(scope, node, part, inputs[2:]) if may_split else None
        if children is None:
            place = (*part.place, "leaf")
            taken[part.place] = may_split
            leaves.append(body(scope, node, "leaf", [part.view, part.state, *inputs[2:]], place))
        else:
            waiting.extend(reversed(children) if isinstance(operation, Recurse) else children)
    if not scope.place:  # inside a loop a division is made several times
        scope.session.taken[*scope.graph.path, node.name] = taken
    return leaves


def _split(scope: Evaluation, node: Planned, part: _Part, captured: list[Any]) -> list[_Part] | None:
    inner = scope.inner(node, "body", [part.view, part.state, *captured], (*part.place, "body"))
    outputs = dict(inner.graph.outputs)
    split, left, right = inner.run((outputs["split"], outputs["left"], outputs["right"]))
    # Whether to split is released. The children's views exist either way, and nothing has read them yet.
    if not split.passed:
        return None
    views = [inner.values[Ref("children", i)] for i in (0, 1)]
    return [_Part(views[i], state, (*part.place, str(i))) for i, state in enumerate((left, right))]
