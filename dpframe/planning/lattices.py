"""Whether the planned noise can be drawn: the samplers reach 2^60 steps of a value's lattice (check 11).

What a run would meet is decided here: the lattice of every private value follows from the declared parameters, and a
loop draws at most the noise of its longest list. A run that was planned refuses no noise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from dpframe.errors import DpframeError, PlanError
from dpframe.kernel.graphs import Planned, Typed
from dpframe.kernel.operations import Mechanism, Query, Statistic
from dpframe.kernel.reductions.control import ForEach
from dpframe.planning.weighing import Solution, Weighing
from dpframe.proof.losses import ApproxDP, Budget
from dpframe.proof.theorems.declaring import captured
from dpframe.proof.typed import Edge, Path, Ref

LARGEST_BITS = 60
"""The samplers' range in bits, see :mod:`dpframe.kernel.noise.parameters`."""
Known = Mapping[Ref, Fraction | None]


def item_calibration(
    weighing: Weighing, factor: float, budget: Budget, view: str, share: Fraction | float
) -> dict[str, Any]:
    """Noise parameters of one item of loops that hold 1/share items: (ρ/L, δ/L), or ε/L in the pure view."""
    mechanism = weighing.site.mechanism
    power = 2 if view == "pure" else 1
    rho = mechanism.rho(factor * weighing.multiplier) * float(share) ** power
    delta = budget.delta * mechanism.delta_fraction * weighing.tail if isinstance(budget, ApproxDP) else 0.0
    return mechanism.calibrate(rho, delta * float(share), weighing.worst, weighing.site.domain)


def loops_around(graph: Typed, path: Path) -> tuple[str, int]:
    """The view of the loops that a node is in, "gdp" where it is in none, and how many items they hold at most."""
    view, most = "gdp", 1
    for i in range(0, len(path) - 1, 2):
        node = graph.node(path[i])
        if isinstance(node.operation, ForEach):
            view, most = node.operation.view, most * node.operation.max_length
        graph = node.bodies[path[i + 1]]
    return view, most


def check_noise(graph: Typed, weighings: Mapping[Path, Weighing], solution: Solution, budget: Budget) -> None:
    """Refuse noise that the samplers can't draw on the lattice of its value, at any length of the loops around.

    Raises
    ------
    PlanError
        Names the mechanism, the scale and how much smaller it must be.
    """
    for path, step in steps(graph, {}):
        weighing = weighings[path]
        mechanism, domain = weighing.site.mechanism, weighing.site.domain
        view, most = loops_around(graph, path)
        made = [solution.calibrations[path]]
        try:
            if most > 1:
                made.append(item_calibration(weighing, solution.factor, budget, view, 1 / most))
            scale = max(mechanism.scale(calibration, domain) for calibration in made)
        except (ArithmeticError, DpframeError) as error:
            raise PlanError(
                f"node {weighing.site.name!r}: its noise leaves the range of float64 ({type(error).__name__})",
                fix="raise the budget or the share",
            ) from None
        _check_scale(weighing.site.name, scale, step)


def _check_scale(name: str, scale: float, step: Fraction | None) -> None:
    if step is None or scale == 0:
        return
    if not scale < math.inf or Fraction(scale) / step > 2**LARGEST_BITS * (1 - Fraction(1, 2**50)):
        over = math.log2(scale) - math.log2(step) - LARGEST_BITS if scale < math.inf else math.inf
        times = f"{math.ceil(over)} bits" if over < math.inf else "infinitely many bits"
        raise PlanError(
            f"node {name!r}: noise of scale {scale:.3g} on a lattice of step {float(step):.3g} is {times} beyond the "
            f"{LARGEST_BITS} bits that can be drawn exactly",
            fix="use fewer bits in the statistic, or divide the noise by 2 for each bit: raise the budget or the share",
        )


def steps(graph: Typed, given: Known) -> Iterator[tuple[Path, Fraction | None]]:
    """The lattice step of every mechanism's input, those of bodies included; ``given`` are those of private inputs."""
    known: dict[Ref, Fraction | None] = dict(given)
    for node in graph.nodes:
        operation, here = node.operation, (*graph.path, node.name)
        if isinstance(operation, Statistic):
            known[Ref(node.name)] = operation.step()
        elif isinstance(operation, Query):
            known[Ref(node.name)] = _query_step(node, operation, graph.edges, known, here)
        elif isinstance(operation, Mechanism):
            yield here, known.get(node.inputs[0])
        for body in node.bodies.values():
            refs = node.inputs[captured(operation.name) :]
            inner = {Ref(i.name): known.get(r) for i, r in zip(body.inputs, refs, strict=True)}
            yield from steps(body, inner)


def _query_step(
    node: Planned, operation: Query, found: Mapping[Ref, Edge], known: Known, path: Path
) -> Fraction | None:
    at = tuple(known.get(r) for r in node.inputs)
    try:
        return operation.step(at, *(found[r].domain for r in node.inputs))
    except DpframeError as error:
        raise PlanError(f"node {'/'.join(path)!r}: {error.message}", fix=error.fix) from None
