"""Metrics: how far two private values may be apart."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

from dpframe.proof.spaces.checks import from_json, non_negative, positive_whole, whole
from dpframe.proof.spaces.edits import Edits


@attrs.frozen
class L1:
    """Values at most ``bound`` apart in the ℓ₁ norm."""

    bound: float = attrs.field(validator=non_negative)
    type: ClassVar[str] = "l1"

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {"type": self.type, "bound": self.bound}


@attrs.frozen
class L2:
    """Values at most ``bound`` apart in the ℓ₂ norm (Frobenius for symmetric matrices)."""

    bound: float = attrs.field(validator=non_negative)
    type: ClassVar[str] = "l2"

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {"type": self.type, "bound": self.bound}


@attrs.frozen
class LInf:
    """Values at most ``bound`` apart in every coordinate."""

    bound: float = attrs.field(validator=non_negative)
    type: ClassVar[str] = "linf"

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {"type": self.type, "bound": self.bound}


@attrs.frozen
class OneSided:
    """At most ``bound`` bins are occupied in one of the two histograms only (in either direction)."""

    bound: float = attrs.field(validator=non_negative)
    type: ClassVar[str] = "one_sided"

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {"type": self.type, "bound": self.bound}


@attrs.frozen
class OneOf:
    """Two lists of ``t`` block results that differ in at most ``changed`` of their entries."""

    t: int = attrs.field(validator=positive_whole)
    changed: int = attrs.field(validator=whole)
    type: ClassVar[str] = "one_of"

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {"type": self.type, "t": self.t, "changed": self.changed}


@attrs.frozen
class Within:
    """Two parameters at most ``r`` apart in a named semimetric."""

    semimetric: str
    r: float = attrs.field(validator=non_negative)
    type: ClassVar[str] = "within"

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {"type": self.type, "semimetric": self.semimetric, "r": self.r}


Metric = Edits | L1 | L2 | LInf | OneSided | OneOf | Within
_METRICS: dict[str, Any] = {
    "edits": Edits,
    "l1": L1,
    "l2": L2,
    "linf": LInf,
    "one_sided": OneSided,
    "one_of": OneOf,
    "within": Within,
}


def metric_from_json(value: Any) -> Metric:
    """Read a metric back; unknown types and keys raise :class:`DomainError`."""
    if isinstance(value, dict) and value.get("type") == "edits":
        value = {"indexed": True, "group": 1, **value}
    result: Metric = from_json(value, _METRICS, "metric")
    return result
