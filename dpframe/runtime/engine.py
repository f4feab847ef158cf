"""The interpreter of a planned graph: takes statistics in fused passes, releases through mechanisms, runs posts.

It is the only code that evaluates private values. What leaves :class:`Scope` is released or public. Nothing
here raises, logs or branches visibly on a private value.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from typing import Any

import attrs

from dpframe.errors import RunError
from dpframe.kernel.graphs import Planned, Typed
from dpframe.kernel.operations import Blocks, Control, Exact, Gather, Mechanism, Partition, Query, Statistic, Transform
from dpframe.kernel.post_processing import Failed, Post
from dpframe.kernel.quality import judgement, remarks_on, worst
from dpframe.kernel.silence import silent
from dpframe.proof.spaces import Kind
from dpframe.proof.typed import Ref
from dpframe.runtime import control, fused
from dpframe.runtime.blocks import learn_blocks
from dpframe.runtime.scope import Evaluation, Stop
from dpframe.runtime.threads import reading
from dpframe.runtime.views import Mapped, View, chunk_rows, gather, partition_views


@attrs.define(eq=False)
class Scope(Evaluation):
    """The evaluation of one graph, node by node."""

    _nodes: dict[str, Planned] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._nodes = {node.name: node for node in self.graph.nodes}

    def run(self, wanted: tuple[Ref, ...]) -> list[Any]:
        """Evaluate every node and return the wanted values."""
        order = {node.name: i for i, node in enumerate(self.graph.nodes) if Ref(node.name) not in self.values}
        needs = {name: {r.node for r in self._nodes[name].inputs if r not in self.values} for name in order}
        if not set().union(*needs.values()) <= order.keys():
            raise RunError("the graph can't be evaluated", fix="report this: the plan was checked")
        waiting, streaming = TopologicalSorter(needs), list[str]()
        waiting.prepare()
        while waiting.is_active():
            fresh = sorted(waiting.get_ready(), key=order.__getitem__)
            streaming += [name for name in fresh if _reads_rows(self._nodes[name])]
            done = [name for name in fresh if not _reads_rows(self._nodes[name])]
            for name in done:
                self._evaluate(self._nodes[name])
            # Passes over the rows come last, so that as many statistics as possible share one.
            if not done:
                done, streaming = sorted(streaming, key=order.__getitem__), []
                self._pass([self._nodes[name] for name in done])
            waiting.done(*done)
        return [_force(self.values[r]) for r in wanted]

    def prepare(self) -> Iterator[str]:
        """Evaluate the posts that follow from public tables, each after its name: errors here may be shown in full."""
        if any(item.kind is Kind.PUBLIC for item in self.graph.inputs):
            for node in self.graph.nodes:
                if isinstance(node.operation, Post) and node.output.kind is Kind.PUBLIC:
                    yield node.name
                    self._evaluate(node)

    # --------------------------------------------------------------------------- passes over rows

    @silent()
    def _pass(self, nodes: list[Planned]) -> None:
        """Read rows for these nodes: one fused pass a table for statistics, one a view for gathers, one a learner."""
        by_table: dict[int, list[tuple[Planned, fused.Request]]] = {}
        gathers: dict[tuple[Ref, ...], list[tuple[Planned, Gather]]] = {}
        for node in nodes:
            operation = node.operation
            view, *params = (self.values[r] for r in node.inputs)
            if isinstance(operation, Statistic):
                domain = self.graph.edges[node.inputs[0]].domain
                request = fused.Request(operation, view, domain, _copied(params))
                by_table.setdefault(id(view.base), []).append((node, request))
            elif isinstance(operation, Gather):
                gathers.setdefault(node.inputs, []).append((node, operation))
            else:
                made = learn_blocks(view, operation, self.session.progress, self.session.pool)
                self.values[Ref(node.name)] = Exact(made)
        for asked in gathers.values():
            self._gather(asked)
        session = self.session
        for group in by_table.values():
            session.progress.begin()
            exact = fused.take(
                [r for _, r in group],
                session.progress,
                threads=session.threads,
                rows=session.chunk,
                pool=session.pool,
                once=session.once,
            )
            for (node, _), value in zip(group, exact, strict=True):
                self.values[Ref(node.name)] = value

    def _gather(self, asked: list[tuple[Planned, Gather]]) -> None:
        """Gather groups of rows of one view. Equal gathers by a public index give equal rows, and share one table."""
        view: View = self.values[asked[0][0].inputs[0]]
        keys = [node.name if operation.declaration().draws else operation for node, operation in asked]
        alike = dict(zip(keys, asked, strict=True))
        gathers = [(operation, self._noise(node, "secret")) for node, operation in alike.values()]
        made = dict(zip(alike, gather(view, gathers, self.session.chunk or chunk_rows(view.base.d)), strict=True))
        self.values |= {Ref(node.name): made[key] for key, (node, _) in zip(keys, asked, strict=True)}

    # ---------------------------------------------------------------------------------- one node

    def _evaluate(self, node: Planned) -> None:
        operation = node.operation
        inputs = [self.values[r] for r in node.inputs]
        if isinstance(operation, Partition):
            self._partition(node, operation, inputs)
            return
        result: Any
        if isinstance(operation, Mechanism):
            result = self._release(node, operation, _force(inputs[0]))
        elif isinstance(operation, Post):
            result = self._post(node, operation, inputs)
        elif isinstance(operation, Transform):
            view: View = inputs[0]
            result = Mapped(view.base, view.n, view, operation, _copied(inputs[1:]))
        elif isinstance(operation, Query):
            result = Deferred(operation, tuple(inputs))
        elif isinstance(operation, Control):
            result = control.run(self, node, operation, inputs)
        else:
            raise RunError(f"node {node.name!r}: operation {operation.name!r} can't be run")
        self.values[Ref(node.name)] = result

    def _partition(self, node: Planned, operation: Partition, inputs: list[Any]) -> None:
        view: View = inputs[0]
        labels = None
        if operation.declaration().draws:
            labels = operation.draw(view.base.n, self._noise(node, "secret"))
        for i, part in enumerate(partition_views(view, operation, _copied(inputs[1:]), labels)):
            self.values[Ref(node.name, i)] = part

    def _noise(self, node: Planned, use: str) -> Any:
        # A stream of its own for each node, place in loops and divisions, and use: no two releases share randomness.
        return self.session.source.child("/".join((*self.path, node.name, *self.place, use)))

    def calibration(self, node: Planned) -> Mapping[str, Any]:
        """The certified noise parameters of a mechanism; in a loop of several items those proposed for this item."""
        if node.name not in self.noise:
            path, admitted = (*self.path, node.name), self.session.admitted
            # The certificate lists the noise of an only item. With several the planner proposes it, the guard checks.
            self.noise[node.name] = (
                admitted.checked.noise[path].calibration if self.share == 1 else admitted.proposed(path, self.share)
            )
        return self.noise[node.name]

    def charged(self, node: Planned) -> Mapping[str, Any]:
        """Have the guard charge a release that is about to be made, and return its noise parameters."""
        calibration = self.calibration(node)
        self.session.guard.charge((*self.path, node.name), self.place, calibration, self.share)
        return calibration

    @silent()
    def _release(self, node: Planned, operation: Mechanism, exact: Exact) -> Any:
        # Charged first: a release that was not proved draws no noise.
        calibration, domain = self.charged(node), self.graph.edges[node.inputs[0]].domain
        released = operation.release(exact, calibration, domain, self._noise(node, "noise"))
        node.output.domain.check(released)
        return released

    def _post(self, node: Planned, operation: Post, inputs: list[Any]) -> Any:
        noise = tuple(self._std(r) for r in node.inputs)
        noise = (*noise, *(self._std(Ref(name)) for name in operation.told()))
        # A copy: an array that a plugin keeps and writes into at the next call would change what is released here.
        result = copy.deepcopy(operation.apply_noisy(tuple(inputs), noise))
        if isinstance(result, Failed):
            raise Stop(result)
        self.graph.edges[Ref(node.name)].domain.check(result)
        self.stds[Ref(node.name)] = operation.noise_std(tuple(inputs), noise)
        judged = judgement(operation, tuple(inputs), noise, result)
        # In a loop a node is judged once for each item; the worst stays.
        if judged is not None:
            key = (*self.path, node.name)
            self.session.judged[key] = worst(filter(None, [self.session.judged.get(key), judged]))
        for text in remarks_on(operation, result):
            self.session.remarks.append(f"node {node.name!r}: {text}")
            self.session.progress.say(self.session.remarks[-1])
        return result

    def _std(self, ref: Ref) -> float:
        node = self._nodes.get(ref.node)
        if node is None or not isinstance(node.operation, Mechanism):
            return self.stds.get(ref, 0.0)
        return node.operation.noise_std(self.calibration(node))


@attrs.define(eq=False)
class Deferred:
    """A private query, evaluated only when a mechanism needs it, so that a conditional one runs in its branch alone."""

    operation: Query
    inputs: tuple[Any, ...]
    _value: Exact | None = None

    def value(self) -> Exact:
        """The exact private value."""
        if self._value is None:
            inputs = [_force(v) for v in self.inputs]
            # A test and what rests on it ask a plugin's distance of the same blocks: it has to say the same.
            with silent(), reading():
                self._value = self.operation.evaluate(*inputs)
        return self._value


def _force(value: Any) -> Any:
    return value.value() if isinstance(value, Deferred) else value


def _copied(released: list[Any]) -> tuple[Any, ...]:
    """A copy of the released values that a view or a statistic uses: a plugin may write into those that it holds.

    A view is evaluated in many passes. If its rule changed between two, one row could count in two of its parts; if a
    statistic's bins changed within one, a row would decide where others count.
    """
    return tuple(copy.deepcopy(released))


def _reads_rows(node: Planned) -> bool:
    return isinstance(node.operation, (Statistic, Gather, Blocks))


def reads_once(graph: Typed) -> bool:
    """Whether a run of the graph reads each table of rows once at most.

    Notes
    -----
    *Formal guarantees.* True only where every node that reads rows is a statistic, none follows from another one, and
    no node has bodies. Then all of them are ready when the first is, :meth:`Scope.run` takes them in one fused pass,
    and no node is left that reads. A source that is told so (:meth:`Digests.read_once`) refuses a second reading, so
    an error here would end a run in ``failed``, never mix two readings of a table.
    """
    after = set[str]()
    for node in graph.nodes:
        follows = any(r.node in after for r in node.inputs)
        if isinstance(node.operation, (Control, Gather, Blocks)) or node.bodies or (_reads_rows(node) and follows):
            return False
        if _reads_rows(node) or follows:
            after.add(node.name)
    return True
