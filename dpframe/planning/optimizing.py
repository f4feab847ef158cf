"""Shares that make the predicted error of some outputs least, for the same budget: a search over plans, nothing more.

Whatever shares come out, the planner prices them and the checker recomputes it; a plan with other shares is another
plan of the same graph. At the optimum a mechanism's part of ρ goes as what the logarithm of the error loses by it, so
each is moved towards that. Only what the error models speak of is moved: a mechanism above an asked output whose noise
they do not read keeps what it has. What only finds where rows lie (rows are looked at again through what it releases)
may give but not take: a model knows that step on its reference instance alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from dpframe.errors import DpframeError, PlanError
from dpframe.kernel.expected import Expected
from dpframe.kernel.graphs import Typed
from dpframe.kernel.operations import Mechanism
from dpframe.planning.graph import Graph
from dpframe.planning.predicting import ancestors, predict
from dpframe.planning.weighing import Solution
from dpframe.proof.losses import ApproxDP, Budget

SEARCH, OTHERS = 0.1, 0.25
"""Least part of its hand-set ρ that is left to a mechanism above an asked output, and to one that others alone need."""
DROWNED = 1e-12
"""A part of ρ at which a model that reads this noise at all must say that the error is larger."""
ROUNDS, SHORTEST, ENOUGH = 30, 0.02, 1e-5
STEP = 0.25
"""Of a logarithm of ρ, for derivatives."""
Multipliers = dict[str, float]
Limits = dict[str, tuple[float, float]]


def wanted(optimize: object, outputs: Sequence[str]) -> tuple[str, ...]:
    """The outputs that are asked for, by name.

    Raises
    ------
    PlanError
    """
    names = [part.strip() for part in optimize.split(",")] if isinstance(optimize, str) else optimize
    if not isinstance(names, (list, tuple)) or not names or not all(isinstance(name, str) for name in names):
        raise PlanError(f"optimize names outputs, not {optimize!r}", fix='for example optimize="mean", or ["mean"]')
    for name in names:
        if name not in outputs:
            raise PlanError(f"there is no output {name!r} to optimize", fix=f"outputs: {', '.join(outputs)}")
    return tuple(dict.fromkeys(names))


@attrs.frozen
class _Thought:
    """A plan with other noise."""

    typed: Typed
    calibrations: Mapping[tuple[str, ...], dict[str, Any]]


def errors(plan: Any, asked: Sequence[str], *, cautious: bool) -> dict[str, Expected]:
    """The predicted errors of outputs.

    Raises
    ------
    PlanError
        For an output without a model, or whose error is not expected to be finite.
    """
    found = predict(plan, cautious=cautious)
    for name in asked:
        if name not in found:
            known = ", ".join(found) or "none"
            raise PlanError(
                f"no node above output {name!r} has an error model, so there is nothing to optimize",
                fix=f"outputs with one: {known}",
            )
    return {name: found[name] for name in asked}


def objective(plan: Any, asked: Sequence[str]) -> float:
    """The sum of the logarithms of the errors: their product, so that units do not count."""
    return math.fsum(_log(expected.error) for expected in errors(plan, asked, cautious=True).values())


def _log(error: float) -> float:
    return math.log(error) if error > 0 else -math.inf


def reshared(
    graph: Graph, typed: Typed, solution: Solution, budget: Budget, asked: tuple[str, ...]
) -> tuple[Graph, float] | None:
    """The graph with better shares, and what the objective was; None where nothing is to be gained.

    Raises
    ------
    PlanError
        Where nothing can be predicted.
    """
    before = objective(_Thought(typed, solution.calibrations), asked)
    if not math.isfinite(before):
        return None
    search = _Search(typed, solution, budget, asked)
    found = search.best(before)
    if found is None:
        return None
    return _with(graph, found), before


@attrs.frozen
class _Search:
    typed: Typed
    solution: Solution
    budget: Budget
    asked: tuple[str, ...]

    def at(self, multipliers: Multipliers) -> float:
        """The objective with some ρ's multiplied; infinite where that is no plan."""
        noise = dict(self.solution.calibrations)
        try:
            for name, times in multipliers.items():
                noise[name,] = self._calibrated(name, times)
            return objective(_Thought(self.typed, noise), self.asked)
        except (DpframeError, ArithmeticError):
            return math.inf

    def _calibrated(self, name: str, times: float) -> dict[str, Any]:
        w = self.solution.weighings[name,]
        mechanism, delta = w.site.mechanism, self.budget.delta if isinstance(self.budget, ApproxDP) else 0.0
        rho = mechanism.rho(self.solution.factor * w.multiplier) * times
        return mechanism.calibrate(rho, delta * mechanism.delta_fraction * w.tail, w.worst, w.site.domain)

    def best(self, before: float) -> Multipliers | None:
        """Multipliers for which it is least, at an unchanged sum of ρ."""
        limits = self._movable(before)
        if len(limits) < 2:
            return None
        costs = {name: self._cost(name) for name in limits}
        total = math.fsum(costs.values())
        now, value, stride = dict.fromkeys(limits, 1.0), before, 1.0
        for _ in range(ROUNDS):
            gains = {name: self._gain(now, name, value) for name in now}
            weight = math.fsum(gains.values())
            if not 0 < weight < math.inf:
                break
            while stride > SHORTEST:
                aim = {}
                for name, at in now.items():
                    goal = gains[name] / weight * total / (costs[name] * at)
                    aim[name] = at * max(goal, 1e-3) ** (0.5 * stride)
                tried = _held(aim, limits, costs, total)
                new = self.at(tried)
                if new < value:
                    break
                stride /= 2
            else:
                break
            gained, now, value, stride = value - new, tried, new, min(1.0, 2 * stride)
            if gained < ENOUGH:
                break
        return now if value < before - ENOUGH else None

    def _movable(self, before: float) -> Limits:
        """Mechanisms whose ρ may change, and the least and the largest factor for each."""
        above = set(self.asked_nodes())
        for name in tuple(above):
            above |= ancestors(self.typed, name)
        out = {}
        for node in self.typed.nodes:
            operation = node.operation
            if not isinstance(operation, Mechanism) or operation.share is None:
                continue
            if node.name not in above:
                out[node.name] = (OTHERS, 1.0)
            elif before < self.at({node.name: DROWNED}) and self.at({node.name: SEARCH}) < math.inf:
                out[node.name] = (SEARCH, 1.0 if self._seen_through(node.name, above) else math.inf)
        return out

    def _seen_through(self, name: str, above: set[str]) -> bool:
        """Whether rows are looked at again, for an asked output, through what a mechanism releases."""
        return any(
            node.output.private and node.name in above and name in ancestors(self.typed, node.name)
            for node in self.typed.nodes
        )

    def asked_nodes(self) -> list[str]:
        """The nodes of the asked outputs."""
        return [ref.node for name, ref in self.typed.outputs if name in self.asked]

    def _cost(self, name: str) -> float:
        """What a mechanism takes of ρ; of one in a part, divided by the number of parts, which are paid together."""
        w = self.solution.weighings[name,]
        parts = {node.name: node.parts or 1 for node in self.typed.nodes}
        source = next(node for node in self.typed.nodes if node.name == name).inputs[0]
        lineage = self.typed.edges[source].lineage
        return w.site.mechanism.rho(w.multiplier) / math.prod(parts.get(step, 1) for step, _ in lineage)

    def _gain(self, now: Multipliers, name: str, value: float) -> float:
        """How much the objective falls for each unit of the logarithm of one ρ."""
        more = self.at({**now, name: now[name] * math.exp(STEP)})
        return max(value - more, 0.0) / STEP if math.isfinite(more) else 0.0


def _held(aim: Multipliers, limits: Limits, costs: Multipliers, total: float) -> Multipliers:
    """Scaled to cost the total, each within its limits; what can't be spent so is left over."""
    held: Multipliers = {}
    while len(held) < len(aim):
        left = total - math.fsum(costs[name] * times for name, times in held.items())
        scale = left / math.fsum(costs[name] * times for name, times in aim.items() if name not in held)
        free = {name: times * scale for name, times in aim.items() if name not in held}
        low = {name: limits[name][0] for name, times in free.items() if times < limits[name][0]}
        high = {name: limits[name][1] for name, times in free.items() if times > limits[name][1]}
        if not low and not high:
            return {**held, **free}
        held |= low or high
    return held


def _with(graph: Graph, multipliers: Multipliers) -> Graph:
    def changed(node: Any) -> Any:
        if node.name not in multipliers:
            return node
        share = float(f"{node.operation.share * multipliers[node.name]:.6g}")
        return attrs.evolve(node, operation=attrs.evolve(node.operation, share=share))

    return attrs.evolve(graph, nodes=tuple(changed(node) for node in graph.nodes))


def better(first: Any, asked: tuple[str, ...], make: Callable[[Graph], Any]) -> Any:
    """The plan with better shares, made anew; the first one where that is no better by its own prediction."""
    found = reshared(first.graph, first.typed, first, first.budget, asked)
    if found is None:
        return first
    graph, before = found
    try:
        second = make(graph)
    except DpframeError:
        return first
    plain = [errors(plan, asked, cautious=False) for plan in (first, second)]
    worse = math.fsum(_log(plain[1][name].error) - _log(plain[0][name].error) for name in asked)
    return second if worse < 0 and objective(second, asked) < before else first
