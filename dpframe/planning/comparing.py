"""Plans side by side, and a plan's whole privacy curve: functions of plans, which read no data."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from dpframe.errors import PlanError
from dpframe.planning.deltas import delta as delta_at
from dpframe.planning.predicting import known_rows, predict
from dpframe.planning.priced import Priced
from dpframe.planning.views import delta_view
from dpframe.proof.losses import applicable
from dpframe.proof.spaces import finite_number
from dpframe.proof.spaces.checks import plain

EPSILONS = (0.01, 0.03, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 10.0)


def curve(plan: Priced, epsilons: Sequence[float] = EPSILONS) -> dict[str, list[tuple[float, float]]]:
    """δ at each ε by every accountant that applies, and the least of them as ``tightest``: each an upper bound.

    1 at an ε above the one up to which all theorems of the plan are proved.
    """
    given: object = plain(epsilons)
    if not isinstance(given, (list, tuple)) or not given or not all(finite_number(e) and e >= 0 for e in given):
        raise PlanError("a privacy curve takes numbers epsilon >= 0", fix="leave them out, or give [0.5, 1.0, 2.0]")
    epsilons, theorems = given, plan.theorems
    found = {
        name: [(float(e), delta_view(delta_at(plan.loss, e, name), e, theorems)) for e in epsilons]
        for name in applicable(plan.loss)
    }
    least = [min([1.0, *(points[i][1] for points in found.values())]) for i in range(len(epsilons))]
    return {**found, "tightest": list(zip(map(float, epsilons), least, strict=True))}


@attrs.frozen
class Comparison:
    """Two plans: what each proves and predicts, and the mechanisms that differ (name, this one, the other one)."""

    totals: tuple[str, str]
    same_relation: bool
    errors: dict[str, tuple[float | None, float | None]]
    noise: tuple[tuple[str, float | None, float | None], ...]

    def __str__(self) -> str:
        lines = [f"this   {self.totals[0]}", f"other  {self.totals[1]}"]
        if not self.same_relation:
            lines.append("the two protect different things: their totals can't be compared")
        lines += [f"error of {name}: {_word(a)}, other {_word(b)}" for name, (a, b) in self.errors.items()]
        lines += [f"noise of {name}: {_word(a)}, other {_word(b)}" for name, a, b in self.noise]
        return "\n".join(lines)


def compare(plan: Priced, other: Priced, rows: int | None = None) -> Comparison:
    """What two plans prove, predict and add as noise."""
    both = [_errors(p, rows) for p in (plan, other)]
    names = list(dict.fromkeys([*both[0], *both[1]]))
    noise = [_noise(p) for p in (plan, other)]
    differ = [n for n in dict.fromkeys([*noise[0], *noise[1]]) if noise[0].get(n) != noise[1].get(n)]
    return Comparison(
        (_total(plan), _total(other)),
        plan.adjacency.covers(other.adjacency),
        {name: (both[0].get(name), both[1].get(name)) for name in names},
        tuple((name, noise[0].get(name), noise[1].get(name)) for name in differ),
    )


def _errors(plan: Priced, rows: int | None) -> dict[str, float]:
    if rows is None and known_rows(plan) is None:
        return {}
    return {name: expected.error for name, expected in predict(plan, rows).items()}


def _noise(plan: Priced) -> dict[str, float]:
    return {"/".join(p): w.site.mechanism.noise_std(plan.calibrations[p]) for p, w in plan.weighings.items()}


def _total(plan: Priced) -> str:
    numbers = ", ".join(f"{k}={v:.6g}" for k, v in plan.spent.items() if isinstance(v, float))
    return f"{numbers} under {plan.adjacency.words}, by {plan.verdict.accountant}"


def _word(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
