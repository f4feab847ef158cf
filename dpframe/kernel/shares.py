"""What a share of the budget or a noise multiplier may be."""

from __future__ import annotations

from typing import Any

from dpframe.errors import PlanError
from dpframe.proof.spaces.checks import LEAST_NOISE, MOST_NOISE, finite_number


def check_share(name: str, value: Any) -> None:
    """Refuse a weight of ρ, a noise multiplier or a bound that is not a positive finite number.

    Raises
    ------
    PlanError
    """
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        why = ": a released value may set where noise goes, never how much privacy a mechanism costs"
        shown = type(value).__name__ + (why if name in ("share", "noise_multiplier") else "")
        raise PlanError(f"{name} must be a number, not {shown}", fix=f"give {name} as a number")
    if not (value > 0 and finite_number(value)):
        raise PlanError(f"{name} must be positive and finite, not {value!r}", fix="give a number above 0")
    if name in ("share", "noise_multiplier"):
        in_range(name, value)


def in_range(name: str, value: float) -> None:
    """Refuse a share or a noise multiplier whose square or root could leave float64."""
    if not LEAST_NOISE <= value <= MOST_NOISE:
        raise PlanError(
            f"{name} must be from {LEAST_NOISE:g} to {MOST_NOISE:g}, not {value!r}",
            fix=f"give a {name} in that range; only the ratios of shares matter",
        )
