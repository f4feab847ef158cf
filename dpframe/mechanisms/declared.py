"""``declared``: a mechanism whose loss is cited, for reductions whose theorem is not an expansion."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import attrs

from dpframe.errors import PlanError
from dpframe.operations import PARAM, ROWS, Mechanism, Slot
from dpframe.registry import register
from dpframe.spaces import Domain, Record, finite_number
from dpframe.theorems import Metrics


def _number(instance: object, attribute: attrs.Attribute[Any], value: Any) -> None:
    low = 0.0 if attribute.name == "delta_fraction" else math.ulp(0.0)
    if not finite_number(value) or value < low:
        raise PlanError(
            f"{attribute.name} must be a positive finite number, not {value!r}",
            fix=f"give {attribute.name} as a number",
        )


@register("declared")
@attrs.frozen
class Declared(Mechanism):
    """A stub with a real price: used in plans, never run.

    Skeletons of published algorithms are planned with it before their parts are written. The losses under
    (1,1), (1,0) and (0,1) are the cited theorem's, multiples of one ε that the share buys.

    Parameters
    ----------
    cites : str
        Where the loss is proved.
    replace, remove, add : float
        ε of each kind of edit, relative to √(2ρ).

    Formal guarantees
    -----------------
    Adjacency: single-row edits. Loss: as cited (``declared_loss``), a hypothesis in the certificate.
    """

    theorem: ClassVar[str] = "declared_loss"
    slots: ClassVar[tuple[Slot, ...]] = (ROWS, Slot("parameters", PARAM, variadic=True))
    cites: str = attrs.field(kw_only=True)
    replace: float = attrs.field(default=1.0, kw_only=True, validator=_number)
    remove: float = attrs.field(default=1.0, kw_only=True, validator=_number)
    add: float = attrs.field(default=1.0, kw_only=True, validator=_number)
    delta_fraction: float = attrs.field(default=0.0, kw_only=True, validator=_number)

    def warnings(self) -> list[str]:
        """What a plan must say of a stub."""
        return [f"is a stub for {self.cites}: its price is cited, and it can't be run"]

    @property
    def delta_share(self) -> float:
        """Fraction of δ."""
        return self.delta_fraction

    def output(self, *inputs: Domain) -> Domain:
        """An opaque record."""
        return Record(self.cites)

    def calibrate(self, rho: float, delta: float, worst: Metrics, domain: Domain) -> dict[str, Any]:
        """ε of each edit."""
        epsilon = (2 * rho) ** 0.5
        out: dict[str, Any] = {}
        for key in ("replace", "remove", "add"):
            out[f"epsilon_{key}"] = epsilon * getattr(self, key)
            out[f"delta_{key}"] = delta
        return out
