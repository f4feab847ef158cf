"""What a plan says of the error of its outputs before it runs: error models of nodes, told the planned noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, TypeGuard

import attrs
import numpy as np

from dpframe.errors import PlanError
from dpframe.kernel.expected import Above, Expected, ExpectedBall
from dpframe.kernel.graphs import Planned, Typed
from dpframe.kernel.mechanisms.additive import Additive
from dpframe.kernel.mechanisms.laplace import LaplaceMechanism
from dpframe.kernel.operations import Mechanism
from dpframe.kernel.post_processing import Post
from dpframe.kernel.posts.frames import GramOfBall, MeanOfBall, SquareSumOfBall, SumOfBall
from dpframe.kernel.transforms.partition import Split
from dpframe.proof.spaces import Ball, BallValue, Domain, Kind, Symmetric
from dpframe.proof.spaces.checks import is_whole, scalar
from dpframe.proof.theorems.shaping.base import shape_of
from dpframe.proof.typed import Path, Ref

EACH = ("standard deviation of the noise in a number", "any table")
WHOLE = ("distance from the clipped rows' own, root mean square", "any table")
INSIDE = ("distance from the mean of the clipped rows, root mean square", "rows anywhere in the public ball")
FOUND = ("distance of the mean, in standard deviations (root mean square)", "Gaussian rows of covariance I")


IN_UNITS = (MeanOfBall, SumOfBall, GramOfBall, SquareSumOfBall)
"""Posts that put a release back into the units of the rows."""


class Foreseen(Protocol):
    """What predictions are made from: a plan, or one that is thought of."""

    @property
    def typed(self) -> Typed:
        """The graph."""

    @property
    def calibrations(self) -> Mapping[Path, dict[str, Any]]:
        """Noise parameters of every mechanism."""


def predict(plan: Foreseen, rows: int | None = None, *, cautious: bool = False) -> dict[str, Expected]:
    """The predicted error of every output that has a model; the nearest node above it with one is asked.

    Infinite where a node above the output is not expected to find what it looks for.

    Raises
    ------
    PlanError
        Where the number of rows is not public and not given.
    """
    n = known_rows(plan) if rows is None else scalar(rows)
    if n is None:
        raise PlanError("a prediction needs the number of rows, which is no part of this plan", fix="give rows=...")
    if not is_whole(n, 1):
        raise PlanError(f"a prediction is for a whole number of rows, not {n!r}", fix="give rows=1000, for example")
    seen = _Seen(plan, n, cautious)
    found = {name: seen.expected(ref) for name, ref in plan.typed.outputs}
    return {name: expected for name, expected in found.items() if expected is not None}


def known_rows(plan: Foreseen) -> int | None:
    """The number of rows of the private table, where the plan says it."""
    return next((item.n for item in plan.typed.inputs if item.kind is Kind.PRIVATE), None)


def ancestors(graph: Typed, name: str) -> set[str]:
    """Names of the nodes that a node is computed from."""
    nodes = {node.name: node for node in graph.nodes}
    above: set[str] = set()
    waiting = [name]
    while waiting:
        for ref in nodes[waiting.pop()].inputs:
            if ref.node in nodes and ref.node not in above:
                above.add(ref.node)
                waiting.append(ref.node)
    return above


def noise_above(plan: Foreseen, name: str, told: Mapping[str, Any] | None = None) -> Above:
    """The mechanisms above a node, those in bodies too: what is released, and their noise; and what the node told."""
    return Above(_Seen(plan, 0).mechanisms(name), told=told)


def noise_in_units(plan: Foreseen, name: str, rows: int | None, value: Any) -> Any:
    """Noise in each number of a release that a public ball put back into the units of the rows; None of anything else.

    A mean takes the noise of its count along, which pulls it towards the ball's centre or away from it: to first order
    at ``value``, for rows that are all complete.
    """
    seen = _Seen(plan, rows or 0)
    node = seen.nodes[name]
    if not isinstance(node.operation, IN_UNITS):
        return None
    noise, ball = seen.spread(seen.nodes.get(node.inputs[0].node)), seen.public_ball(node.inputs[1].node)
    if not noise or ball is None:
        return None
    numbers = np.asarray(value, dtype=np.float64)
    if not isinstance(node.operation, MeanOfBall):
        power = 1 if isinstance(node.operation, SumOfBall) else 2
        return each_number(numbers, noise * ball.radius**power, node.output.domain)
    count = seen.rows_of(node.inputs[0].node)
    return np.hypot(ball.radius, numbers - ball.centre) * (noise / count) if count else None


def each_number(numbers: Any, noise: float, domain: Domain) -> Any:
    """The noise of each: a symmetric matrix is noised in isometric coordinates (√2 off the diagonal)."""
    errors = np.full(np.shape(numbers), noise)
    if isinstance(domain, Symmetric):
        errors = np.where(np.eye(errors.shape[-1], dtype=bool), errors, errors / math.sqrt(2.0))
    return errors


@attrs.frozen
class _Seen:
    """A plan seen with a number of rows."""

    plan: Foreseen
    rows: int
    cautious: bool = False
    nodes: dict[str, Planned] = attrs.field(init=False)
    balls: dict[str, ExpectedBall | None] = attrs.field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "nodes", {node.name: node for node in self.plan.typed.nodes})

    def expected(self, ref: Ref) -> Expected | None:
        """The expected error of an output; None where no model says it."""
        waiting, seen = [ref.node], set()
        while waiting:
            node = self.nodes.get(waiting.pop(0))
            if node is None or node.name in seen:
                continue
            seen.add(node.name)
            found = self.model(node)
            if node.name == ref.node and found is None:
                found = self.release(node)
            if found is not None:
                return found if self.finds(node.name) else attrs.evolve(found, error=math.inf)
            if isinstance(node.operation, Post):
                waiting += [r.node for r in node.inputs]
        return None

    def model(self, node: Planned) -> Expected | None:
        """The expected error that a node's own model gives."""
        operation = node.operation
        if not _post(operation):
            return None
        with np.errstate(all="ignore"):  # what is beyond float64 is an infinite error
            return operation.predicted_error(node.output.domain, self.rows, self.above(node))

    def release(self, node: Planned) -> Expected | None:
        """The expected error of a noisy release, in its own units or in those of the rows."""
        operation = node.operation
        if isinstance(operation, Additive) and node.name in {path[0] for path in self.plan.calibrations}:
            return Expected(self.spread(node), *EACH, most=math.inf)
        if isinstance(operation, IN_UNITS):
            return self._in_units(node)
        return None

    def _in_units(self, node: Planned) -> Expected | None:
        """A release put back into the units of the rows, by a ball that is public or expected."""
        ball, noise = node.inputs[1].node, self.spread(self.nodes.get(node.inputs[0].node))
        public, reach = self._public_radius(ball), self.ball(ball)
        count = _numbers(node.output.domain)
        if not noise:
            return None
        if not isinstance(node.operation, MeanOfBall):
            power = 1 if isinstance(node.operation, SumOfBall) else 2
            return None if public is None else Expected(noise * public**power * count, *WHOLE, most=math.inf)
        rows = self.rows_of(node.inputs[0].node)
        if not rows:
            return None
        if public is not None:  # the noise of the count moves a mean that is no centre: half of that of one more column
            return Expected(noise * public / rows * math.hypot(count, math.sqrt(0.5)), *INSIDE, most=math.inf)
        if reach is None:
            return None
        return Expected(count * math.hypot(noise * reach.radius / rows, 1.0 / math.sqrt(rows)), *FOUND)

    def rows_of(self, release: str) -> int | None:
        """Number of rows of the table, or of a part cut by index; None of a part that depends on values."""
        node, rows = self.nodes[release], self.rows
        for name, _ in self._lineage(node):
            cut = self.nodes[name].operation
            if not isinstance(cut, Split) or cut.weights:
                return None
            rows //= cut.count
        return rows

    def _lineage(self, node: Planned) -> tuple[tuple[str, int], ...]:
        return next((self.plan.typed.edges[r].lineage for r in node.inputs if self.plan.typed.edges[r].private), ())

    def public_ball(self, name: str) -> BallValue | None:
        """The ball that a node without inputs gives; None of any other."""
        node = self.nodes.get(name)
        made = None if node is None or node.inputs or not _post(node.operation) else node.operation.apply()
        return made if isinstance(made, BallValue) else None

    def _public_radius(self, name: str) -> float | None:
        ball = self.public_ball(name)
        return None if ball is None else float(ball.radius)

    def ball(self, name: str) -> ExpectedBall | None:
        """The ball that a node is expected to find."""
        if name not in self.balls:
            node, found = self.nodes.get(name), None
            if node is not None and _post(node.operation):
                radius = self._public_radius(name) if isinstance(node.output.domain, Ball) else None
                if radius is not None:
                    found = ExpectedBall.within(radius)
                else:
                    found = node.operation.predicted_ball(node.output.domain, self.rows, self.above(node))
            self.balls[name] = found
        return self.balls[name]

    def above(self, node: Planned) -> Above:
        """What a node's model is told of the noise and the balls above it."""
        balls = tuple(self.ball(ref.node) for ref in node.inputs)
        stds = tuple(self.deviation(self.nodes.get(ref.node)) for ref in node.inputs)
        domains = tuple(self.plan.typed.edges[ref].domain for ref in node.inputs)
        return Above(self.mechanisms(node.name), stds, balls, domains, cautious=self.cautious)

    def deviation(self, node: Planned | None) -> float:
        """The noise of a release; 0 of anything else."""
        if node is None or not isinstance(node.operation, Mechanism) or (node.name,) not in self.plan.calibrations:
            return 0.0
        return node.operation.noise_std(self.plan.calibrations[node.name,])

    def spread(self, node: Planned | None) -> float:
        """The standard deviation of each number of a release; 0 of anything else."""
        # The parameter of a Laplace law is its mean absolute deviation.
        doubled = node is not None and isinstance(node.operation, LaplaceMechanism)
        return self.deviation(node) * (math.sqrt(2.0) if doubled else 1.0)

    def mechanisms(self, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The mechanisms above a node, in the order of the plan."""
        above = ancestors(self.plan.typed, name)
        for node in self.plan.typed.nodes:
            if node.name in above:
                yield from _released(self.plan, self.plan.typed, node, ())

    def finds(self, name: str) -> bool:
        """Whether every node above one, and it itself, is expected to find what it looks for."""
        for node in (self.nodes[n] for n in (*ancestors(self.plan.typed, name), name)):
            asked = [inner.operation for inner in (node, *(n for body in node.bodies.values() for _, n in body.walk()))]
            asked = [o for o in asked if _post(o) and type(o).expects_answer is not Post.expects_answer]
            noise = self.above(node) if asked else Above(())
            if not all(o.expects_answer(self.rows, noise) for o in asked if _post(o)):
                return False
        return True


def _released(plan: Foreseen, graph: Typed, node: Planned, path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """A node's own mechanism, and those in its bodies. One whose statistic stands outside is called by its own name."""
    path = (*path, node.name)
    if path in plan.calibrations:
        nodes = {other.name: other for other in graph.nodes}
        source = nodes.get(node.inputs[0].node)
        yield (node.operation.name if source is None else source.operation.name), plan.calibrations[path]
    for label, body in node.bodies.items():
        for inner in body.nodes:
            yield from _released(plan, body, inner, (*path, label))


def _post(operation: Any) -> TypeGuard[Post]:
    return isinstance(operation, Post)


def _numbers(domain: Domain) -> float:
    """Length of a vector of one deviation a number; of a symmetric matrix one on the diagonal, 1/√2 off it."""
    if isinstance(domain, Symmetric):
        return math.sqrt(max(domain.k, 1) * domain.d * (domain.d + 1) / 2.0)
    return math.sqrt(shape_of(domain)[0])
