"""Auditing a whole plan: run it many times on two neighbouring tables and attack everything it releases.

Runs are simulated, one seed each. The tables are crafted (a row at one end of the promised ball against the
other end), or the user's own with a canary row. With few runs the bound is far below the claim: it can
refute a broken composition, and it is reported, not required.
"""

from __future__ import annotations

import math
import time
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt

from dpframe.errors import PlanError
from dpframe.execution.run import run_plan
from dpframe.planning.plan import Plan
from dpframe.spaces import ADJACENCIES
from dpframe.specs import load_spec
from dpframe.testing.audits import Finding
from dpframe.testing.estimation import ALPHA, lower_bounds

Floats = npt.NDArray[np.float64]
RUNS = 200
SECONDS = 60.0
SMALL = {"n": 400, "d": 2, "k": 2, "bound": 10.0, "epsilon": 1.0, "delta": 1e-2}
"""Values of keys that a spec leaves open: an audit is sharpest on a small table."""


def flatten(outputs: Any) -> list[float]:
    """Every number in released outputs, in order."""
    if attrs.has(type(outputs)):
        return [v for a in attrs.fields(type(outputs)) for v in flatten(getattr(outputs, a.name))]
    if isinstance(outputs, dict):
        return [v for key in sorted(outputs) for v in flatten(outputs[key])]
    if isinstance(outputs, (list, tuple)):
        return [v for item in outputs for v in flatten(item)]
    if outputs is None or isinstance(outputs, str):
        return []
    return [float(v) for v in np.ravel(np.asarray(outputs, dtype=np.float64))]


def crafted(n: int, d: int, bound: float) -> tuple[Floats, Floats]:
    """Two tables that differ in row 0: at one end of the ball of radius ``bound``, and at the other."""
    first = np.zeros((n, d))
    first[n // 2 :, 0] = bound / 2
    second = first.copy()
    first[0, 0], second[0, 0] = bound, -bound
    return first, second


def releases(plan: Plan, table: Floats, *, runs: int, seed: int, seconds: float) -> Floats:
    """What simulated runs release, a row a run; failed runs are rows of NaN turned into a flag column."""
    name = plan.graph.inputs[0].name
    rows: list[list[float]] = []
    stop = time.monotonic() + seconds
    for i in range(runs):
        result = run_plan(plan, {name: table}, simulate=seed + i)
        rows.append([float(result.status == "released"), *flatten(dict(result.outputs))])
        if time.monotonic() > stop and i >= 9:
            break
    width = max(len(r) for r in rows)
    return np.array([r + [0.0] * (width - len(r)) for r in rows])


def audit_plan(
    plan: Plan,
    first: Floats,
    second: Floats,
    *,
    runs: int = RUNS,
    seed: int = 0,
    delta: float,
    seconds: float = SECONDS,
    alpha: float = ALPHA,
) -> Finding:
    """Lower-bound the whole plan's ε at ``delta`` on two neighbouring tables.

    Parameters
    ----------
    plan : Plan
    first, second : (n, d) float64
        Neighbours under the plan's adjacency. For a canary audit, the user's table with and without the canary.
    runs : int
        Simulated runs on each.
    seconds : float
        Time limit a side.
    """
    samples = [
        releases(plan, table, runs=runs, seed=seed + side * 10**6, seconds=seconds)
        for side, table in enumerate((first, second))
    ]
    width = max(s.shape[1] for s in samples)
    a, b = (np.pad(s, ((0, 0), (0, width - s.shape[1]))) for s in samples)
    (bound,) = lower_bounds(a, b, [delta], alpha=alpha)
    claimed = plan.epsilon(delta=delta)
    return Finding("whole plan", "crafted neighbours", delta, claimed, bound.epsilon, bound.event, min(len(a), len(b)))


def audit_spec(name: str) -> list[Finding]:
    """Audit a spec on crafted neighbours; keys that it leaves open take small values.

    Raises
    ------
    PlanError
        For a spec that is not about one private table under replace-one.
    """
    spec = load_spec(name)
    known = {**SMALL, "adjacency": "replace_one"}
    wanted = {k: v for k, v in known.items() if k in spec.keys or k in ("n", "d", "epsilon", "delta", "adjacency")}
    spec = attrs.evolve(spec, columns=None).set(wanted)
    if spec.relation != ADJACENCIES["replace_one"]:
        raise PlanError("plans are audited under replace_one", fix="--set adjacency=replace_one")
    plan = spec.plan()
    delta = float(SMALL["delta"])
    first, second = crafted(int(SMALL["n"]), int(SMALL["d"]), float(SMALL["bound"]))
    finding = audit_plan(plan, first, second, delta=delta)
    if not math.isfinite(finding.claimed):
        raise PlanError(f"spec {name!r} claims nothing at delta={delta}")
    return [attrs.evolve(finding, subject=f"spec {spec.name}")]
