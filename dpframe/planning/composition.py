"""Sensitivity propagation and composition over lineages (checks 5, 7 and 8).

A *lineage* is the rows of a table, or of a part of its partitions. Inside a
lineage losses compose; a partition is resolved where it stands, before it composes with the rest, by
the worst allocation of the edits to its parts. Proofs: ``docs/theory/composition.md``.

One traversal serves two ends: a survey that records the metrics each mechanism can meet, and the
pricing, by what is done at a mechanism.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any

import attrs

from dpframe.errors import DpframeError, PlanError
from dpframe.kernel.graphs import Planned, Typed
from dpframe.kernel.operations import Control, Mechanism, Partition
from dpframe.kernel.reductions.control import Branch, ByCategory, Divide, ForEach
from dpframe.proof.losses import ZERO, Loss, amplify, compose, worst
from dpframe.proof.spaces import ADD, REMOVE, REPLACE_ONE, Adjacency, Domain, Edits
from dpframe.proof.theorems import BY_RULE, Metrics, fixed_total, spread
from dpframe.proof.typed import Lineage, Path, Ref

SPLITS = (REPLACE_ONE, REMOVE, ADD)


@attrs.frozen
class Site:
    """A mechanism as it is met on the way: its path of names, node and input domain."""

    path: Path
    node: Planned
    domain: Domain

    @property
    def mechanism(self) -> Mechanism:
        """The operation."""
        operation = self.node.operation
        if not isinstance(operation, Mechanism):
            raise PlanError(f"node {self.node.name!r} is no mechanism")
        return operation

    @property
    def name(self) -> str:
        """The path as one word."""
        return "/".join(self.path)


Leaf = Callable[[Site, Metrics], Loss]
Leaves = Mapping[Path, bool]
"""The leaves of a division that was made, by place: "0" and "1" a level; whether a split was tried there."""
Note = Callable[[Path, tuple[Metrics, ...], Metrics], None]


def _silent(path: Path, inputs: tuple[Metrics, ...], metrics: Metrics) -> None:
    """Note nothing."""


@attrs.frozen
class Scope:
    """One typed graph, and what to do at a mechanism.

    ``note`` is told the metrics around every other node; ``view`` is that of the loop around, if any. ``memo``
    keeps what does not depend on the leaves, for as many pricings as share it. ``taken`` are the leaves of divisions
    that a run made, by node: these are priced as they were made, and not for the worst tree.
    """

    graph: Typed
    leaf: Leaf
    note: Note = _silent
    view: str = ""
    memo: dict[Any, Any] = attrs.field(factory=dict)
    taken: Mapping[Path, Leaves] = attrs.field(factory=dict)

    def lineage_loss(self, lineage: Lineage, root: Mapping[Ref, Metrics]) -> Loss:
        """Loss of everything computed from the rows of one lineage, for neighbours at ``root`` there."""
        # A copy: one lineage is priced under several edits, and what is learned here holds under these alone.
        known = dict(root)
        losses = []
        for node, private in self._readers().get(lineage, ()):
            # Values of other rows have no metrics here. Composed with these as if they were one lineage, the edits of
            # neither would be counted.
            strange = [str(r) for r in private if r not in known]
            if strange:
                raise PlanError(
                    f"node {node.name!r} reads {strange[0]!r}, whose distance between neighbours is not known",
                    fix="compute it from a private table",
                )
            try:
                losses.append(self._node(node, private, lineage, known))
            except DpframeError as error:
                raise _at((*self.graph.path, node.name), error) from None
        return compose(*losses)

    def _readers(self) -> dict[Lineage, list[tuple[Planned, list[Ref]]]]:
        """The nodes that read private values, by the lineage of the first one."""
        if self.graph.path not in self.memo:
            readers: dict[Lineage, list[tuple[Planned, list[Ref]]]] = {}
            for node in self.graph.nodes:
                private = [r for r in node.inputs if self.graph.edges[r].private]
                if private:
                    readers.setdefault(self.graph.edges[private[0]].lineage, []).append((node, private))
            self.memo[self.graph.path] = readers
        return self.memo[self.graph.path]  # type: ignore[no-any-return]

    def _node(self, node: Planned, private: list[Ref], lineage: Lineage, known: dict[Ref, Metrics]) -> Loss:
        operation = node.operation
        inputs = tuple(known[r] for r in private)
        if isinstance(operation, Mechanism):
            return self.leaf(Site((*self.graph.path, node.name), node, self.graph.edges[private[0]].domain), inputs[0])
        if isinstance(operation, Partition):
            return self._partition(node, operation, lineage, inputs[0])
        if isinstance(operation, Control):
            return self._control(node, operation, known)
        # Sensitivities follow from metrics and never from noise, so all factors that the solver tries share them.
        key = (*self.graph.path, node.name), inputs
        if key not in self.memo:
            domains = tuple(self.graph.edges[r].domain for r in node.inputs)
            self.memo[key] = operation.derived(domains, inputs)
        known[Ref(node.name)] = self.memo[key]
        self.note(key[0], inputs, known[Ref(node.name)])
        return ZERO

    # ------------------------------------------------------------------------------- partitions

    def _partition(self, node: Planned, operation: Partition, lineage: Lineage, metrics: Metrics) -> Loss:
        e = edits_of(metrics)

        def part(index: int, edits: Edits) -> Loss:
            ref = Ref(node.name, index)
            return self.lineage_loss((*lineage, (node.name, index)), {ref: (edits,)})

        readers = self._readers()
        read = [i for i in range(operation.parts()) if (*lineage, (node.name, i)) in readers]
        # Several rows by a rule may fall into the parts in many ways: all of them are priced at once (3.5).
        if operation.theorem in BY_RULE and e.total and e.bare not in SPLITS:
            return spread(e, len(read), lambda i, edits: part(read[i], edits))
        # Parts that nothing reads cost nothing, and two of them are as good as many.
        priced = sorted([*read, *sorted({*range(operation.parts())}.difference(read))[:2]])
        rate, loop = operation.parameters().get("rate"), bool(self.view)
        return allocate(
            operation.theorem, len(priced), lambda i, edits: part(priced[i], edits), e, rate=rate, shared=loop
        )

    # ---------------------------------------------------------------------------------- control

    def body(self, node: Planned, label: str) -> Scope:
        """The scope of a body of a control node."""
        return attrs.evolve(self, graph=node.bodies[label])

    def _bound(self, node: Planned, label: str, known: Mapping[Ref, Metrics]) -> dict[Ref, Metrics]:
        refs = node.inputs[1:] if isinstance(node.operation, Branch) else node.inputs
        names = [i.name for i in node.bodies[label].inputs]
        return {Ref(name): known[r] for name, r in zip(names, refs, strict=True) if r in known}

    def _control(self, node: Planned, operation: Control, known: Mapping[Ref, Metrics]) -> Loss:
        # The worse body, not their sum: a released test picks one (4.1). The test itself composes with this outside.
        if isinstance(operation, Branch):
            return worst(*(self.body(node, b).lineage_loss((), self._bound(node, b, known)) for b in node.bodies))
        if isinstance(operation, ForEach):
            return self._loop(node, operation, known)
        if isinstance(operation, Divide):
            return self._division(node, operation, edits_of(known[node.inputs[0]]))
        if isinstance(operation, ByCategory):
            return self._categories(node, operation, edits_of(known[node.inputs[0]]))
        raise PlanError(f"no rule for the control operation {operation.name!r}")

    def _categories(self, node: Planned, operation: ByCategory, e: Edits) -> Loss:
        """A replaced row changes two categories' tables, each in one row; a row that comes or goes changes one."""
        if e.bare not in SPLITS:
            raise PlanError(
                f"by_category is proved for single-row edits only, not {e}",
                fix="use replace_one or add_remove, without a unit",
            )
        body = self.body(node, "body")
        cost = body.lineage_loss((), {Ref(body.graph.inputs[0].name): (e,)})
        return compose(cost, cost) if e.bare == REPLACE_ONE and operation.categories > 1 else cost

    def _loop(self, node: Planned, operation: ForEach, known: Mapping[Ref, Metrics]) -> Loss:
        """Every mechanism is charged in the loop's view before anything composes.

        A worst allocation may drop an alternative that is dominated for one item and not for many; in the view
        all losses scale alike, so what is dominated for one item stays so.
        """
        if self.view not in ("", operation.view):
            raise PlanError(
                f"a loop in view {operation.view!r} inside one in view {self.view!r}", fix="give both one view"
            )
        # Priced as one item at share 1: whatever the length, the items' numbers in the view add to this total (5).
        body = self.body(node, "body")
        leaf = body.leaf
        inner = attrs.evolve(body, leaf=lambda site, m: fixed_total(leaf(site, m), operation.view), view=operation.view)
        return fixed_total(inner.lineage_loss((), self._bound(node, "body", known)), operation.view)

    def _division(self, node: Planned, operation: Divide, e: Edits) -> Loss:
        body, leaf = self.body(node, "body"), self.body(node, "leaf")
        _check_children(body)
        if e.bare not in SPLITS:
            raise PlanError(
                f"recurse and worklist are proved for single-row edits only, not {e}",
                fix="use replace_one or add_remove, without a unit",
            )

        def cost(scope: Scope, edits: Edits) -> Loss:
            return scope.lineage_loss((), {Ref(scope.graph.inputs[0].name): (edits,)})

        value = {s: cost(leaf, s) for s in SPLITS}
        step = {s: cost(body, s) for s in SPLITS}
        made = self.taken.get((*self.graph.path, node.name))
        if made is not None:
            value = along(made, (), value, step)
            return value[e] if e in value else worst(*value.values())
        # From the leaves up (6): below a split the two edits of a replaced row share a child, or part for good, and
        # then each follows a path of its own. Which of the two may depend on what was released: the worst, every time.
        for _ in range(operation.max_depth):
            value = {
                REPLACE_ONE: compose(step[REPLACE_ONE], worst(value[REPLACE_ONE], compose(value[REMOVE], value[ADD]))),
                REMOVE: compose(step[REMOVE], value[REMOVE]),
                ADD: compose(step[ADD], value[ADD]),
            }
        return value[e] if e in value else worst(*value.values())


def along(leaves: Leaves, place: Path, leaf: Mapping[Edits, Loss], step: Mapping[Edits, Loss]) -> dict[Edits, Loss]:
    """What the part at ``place`` of a division that was made costs, by edits of its rows.

    Every part that was split, or that one tried to split, costs a step; a replaced row follows one path, or two that
    diverge. What was made follows from released values.
    """
    if place in leaves:
        return {e: compose(step[e], leaf[e]) if leaves[place] else leaf[e] for e in SPLITS}
    # The tree is known here, but not where in it a row would have gone: both children, and both ways to part.
    left, right = (along(leaves, (*place, side), leaf, step) for side in ("0", "1"))
    apart = [compose(a[REMOVE], b[ADD]) for a, b in ((left, right), (right, left))]
    inside = {e: worst(left[e], right[e], *(apart if e == REPLACE_ONE else ())) for e in SPLITS}
    return {e: compose(step[e], inside[e]) for e in SPLITS}


def _check_children(body: Scope) -> None:
    children = [n for n in body.graph.nodes if n.name == "children"]
    split = children[0].operation if len(children) == 1 else None
    if not isinstance(split, Partition) or split.parts() != 2 or split.theorem != "rule_partition":
        raise PlanError(
            "the body of recurse or worklist must hold one two-part partition by rule named 'children'",
            fix="name it so: dp.transform('filter_ball', rows, ball, name='children')",
        )
    if children[0].inputs[0] != Ref(body.graph.inputs[0].name):
        raise PlanError("'children' must split the rows handed to the body", fix="partition the body's first input")


def allocate(
    theorem: str, parts: int, part: Callable[[int, Edits], Loss], e: Edits, *, rate: float | None, shared: bool = False
) -> Loss:
    """Worst allocation of the edits ``e`` to disjoint parts, as one loss.

    ``index_partition``: all edits carry one index, of a row or of a group. ``rule_partition``, ``own_partition`` and
    ``secret_labels``: they may fall in different parts, or in none. ``secret_sample``: the part is a Poisson sample,
    one for each item that shares the loss of a loop (``shared``).
    """
    if e.total == 0:
        return ZERO
    if theorem != "index_partition" and e.bare not in SPLITS:
        raise PlanError(
            f"a secret partition is proved for single-row edits only, not {e}",
            fix="use replace_one or add_remove, without a unit",
        )
    if theorem == "index_partition":
        if not e.one_group:
            apart = "" if e.indexed else ", each at an index of its own"
            raise PlanError(
                f"cuts by row index, which neighbours ({e.removed} out, {e.added} in{apart}) do not keep",
                fix="split the table's own rows before any filter, or use secret_split under add_remove",
            )
        # Both edits of a replaced row carry one index, so they are in one part, whichever it is (3.1).
        return worst(*(part(i, e) for i in range(parts)))
    if theorem == "secret_sample":
        if rate is None or not 0 < rate <= 1:
            raise PlanError("a secret sample needs its rate", fix="give rate in (0, 1]")
        # The sample may hold the row on one side only: all three edits count, also under replace-one (3.4).
        inner = worst(*(part(0, s) for s in SPLITS))
        if inner.epsilon == math.inf:
            raise PlanError(
                "only a loss with a finite pure epsilon is amplified by sampling",
                fix="release from the sample by laplace or a selection, inside a loop with view='pure'",
            )
        return amplify(inner, rate, shared=shared)
    if theorem not in ("rule_partition", "secret_labels", "own_partition"):
        raise PlanError(f"no allocation rule for the theorem {theorem!r}", fix="use a partition of the kernel")
    if e.bare != REPLACE_ONE:
        return worst(*(part(i, e) for i in range(parts)))
    same = {part(i, REPLACE_ONE) for i in range(parts)}
    # By a rule the old row and the new one fall where they like: into one part, two, or one and none (3.2). Parts of
    # which the same is released cost the same, so that few of all pairs are composed.
    alone = Counter((part(i, REMOVE), part(i, ADD)) for i in range(parts))
    crossing = {compose(a[0], b[1]) for a in alone for b in alone if a != b or alone[a] > 1}
    return worst(*same, *crossing, *chain(*alone))


def edits_of(metrics: Metrics) -> Edits:
    """The edits of a rows edge."""
    for metric in metrics:
        if isinstance(metric, Edits):
            return metric
    raise PlanError("needs rows of the private table", fix="apply it to a table or a part of one")


def _at(path: Path, error: DpframeError) -> DpframeError:
    if error.message.startswith("node "):
        return error
    return type(error)(f"node {'/'.join(path)!r}: {error.message}", fix=error.fix)


# ------------------------------------------------------------------------------------------ survey


def price(
    graph: Typed,
    adjacency: Adjacency,
    leaf: Leaf,
    *,
    note: Note = _silent,
    memo: dict[Any, Any] | None = None,
    taken: Mapping[Path, Leaves] | None = None,
) -> Loss:
    """Loss of the graph: the worst over the adjacency's edits of everything composed.

    Pricings of one graph and adjacency may share a ``memo``, which starts empty.
    """
    private = [i for i in graph.inputs if i.edge.private]
    if len(private) > 1:
        raise PlanError(
            f"{len(private)} private tables: {', '.join(i.name for i in private)}", fix="join them into one table"
        )
    scope = Scope(graph, leaf, note, memo={} if memo is None else memo, taken=taken or {})
    # Neighbours differ by one of the edits, once for the whole table: the worst of the totals covers each.
    return worst(*(scope.lineage_loss((), {Ref(i.name): (e,) for i in private}) for e in adjacency.edits))
