"""The ways to write a budget in a spec, and how setting one removes the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpframe.errors import SpecError
from dpframe.proof.losses import GDP, ZCDP, ApproxDP, Budget, PureDP

APPROXIMATE = ("epsilon", "delta")
FORMS = (*APPROXIMATE, "rho")
"""What ``--set`` takes."""

WRITTEN = (*FORMS, "mu")
"""What a file may hold: a GDP budget can be written, not set."""


def set_budget(written: Mapping[str, float], changes: Mapping[str, float]) -> dict[str, float]:
    """The written budget after changes.

    Raises
    ------
    SpecError
        When the changes name both forms.

    Examples
    --------
    >>> set_budget({"epsilon": 1.0, "delta": 1e-6}, {"rho": 0.5})
    {'rho': 0.5}
    >>> set_budget({"epsilon": 1.0, "delta": 1e-6}, {"epsilon": 2.0})
    {'epsilon': 2.0, 'delta': 1e-06}
    """
    single = [k for k in changes if k not in APPROXIMATE]
    if single and len(changes) > 1:
        raise SpecError("a budget is epsilon and delta, or rho, not both", fix="give one form")
    if single or not changes:
        return dict(changes or written)
    kept = {k: v for k, v in written.items() if k in APPROXIMATE}
    if written and not kept and set(changes) != set(APPROXIMATE):
        missing = next(k for k in APPROXIMATE if k not in changes)
        raise SpecError(
            f"{', '.join(changes)} replaces the spec's budget, {', '.join(written)}, and {missing} is missing",
            fix=f"--set {missing}=... as well",
        )
    merged = {**kept, **changes}
    return {k: merged[k] for k in APPROXIMATE if k in merged}


def as_budget(written: Mapping[str, float]) -> Budget:
    """The budget object: ε alone is pure DP, ρ zCDP."""
    if "rho" in written:
        return ZCDP(written["rho"])
    if "mu" in written:
        return GDP(written["mu"])
    if "epsilon" not in written:
        raise SpecError("the budget is missing", fix="--set epsilon=... --set delta=..., or --set rho=...")
    if "delta" not in written:
        return PureDP(written["epsilon"])
    return ApproxDP(written["epsilon"], written["delta"])


def written_budget(budget: Any) -> dict[str, float]:
    """The keys of a budget object."""
    if isinstance(budget, ApproxDP):
        return {"epsilon": budget.epsilon, "delta": budget.delta}
    if isinstance(budget, PureDP):
        return {"epsilon": budget.epsilon}
    if isinstance(budget, ZCDP):
        return {"rho": budget.rho}
    if isinstance(budget, GDP):
        return {"mu": budget.mu}
    raise SpecError(f"a spec has no form for the budget {budget}", fix="use epsilon and delta, or rho")
