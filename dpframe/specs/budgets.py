"""The two ways to write a budget in a spec, and how setting one removes the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpframe.errors import SpecError
from dpframe.losses import ZCDP, ApproxDP, Budget, PureDP

APPROXIMATE = ("epsilon", "delta")
FORMS = (*APPROXIMATE, "rho")


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
    if "rho" in changes and any(k in changes for k in APPROXIMATE):
        raise SpecError("a budget is epsilon and delta, or rho, not both", fix="give one form")
    if "rho" in changes:
        return {"rho": changes["rho"]}
    if not changes:
        return dict(written)
    kept = {k: v for k, v in written.items() if k in APPROXIMATE}
    if "rho" in written and set(changes) != set(APPROXIMATE):
        missing = next(k for k in APPROXIMATE if k not in changes)
        raise SpecError(
            f"the spec's budget is rho; {', '.join(changes)} replaces it and {missing} is missing",
            fix=f"--set {missing}=... as well",
        )
    merged = {**kept, **changes}
    return {k: merged[k] for k in APPROXIMATE if k in merged}


def as_budget(written: Mapping[str, float]) -> Budget:
    """The budget object: ε alone is pure DP, ρ zCDP."""
    if "rho" in written:
        return ZCDP(written["rho"])
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
    raise SpecError(f"a spec has no form for the budget {budget}", fix="use epsilon and delta, or rho")
