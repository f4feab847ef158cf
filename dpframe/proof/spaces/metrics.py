"""Metrics: how far two private values may be apart."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

from dpframe.proof.spaces.checks import from_json, non_negative, positive_whole, whole
from dpframe.proof.spaces.edits import Edits


@attrs.frozen
class _Metric:
    """A metric as its type and its fields."""

    type: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        return {"type": self.type, **attrs.asdict(self)}


@attrs.frozen
class _Bound(_Metric):
    """A metric that is one number: how far apart two values may be."""

    bound: float = attrs.field(validator=non_negative)


@attrs.frozen
class L1(_Bound):
    """Values at most ``bound`` apart in the ℓ₁ norm."""

    type: ClassVar[str] = "l1"


@attrs.frozen
class L2(_Bound):
    """Values at most ``bound`` apart in the ℓ₂ norm (Frobenius for symmetric matrices)."""

    type: ClassVar[str] = "l2"


@attrs.frozen
class LInf(_Bound):
    """Values at most ``bound`` apart in every coordinate."""

    type: ClassVar[str] = "linf"


@attrs.frozen
class OneSided(_Bound):
    """At most ``bound`` bins are occupied in one of the two histograms only (in either direction)."""

    type: ClassVar[str] = "one_sided"


@attrs.frozen
class OneOf(_Metric):
    """Two lists of ``t`` block results that differ in at most ``changed`` of their entries."""

    t: int = attrs.field(validator=positive_whole)
    changed: int = attrs.field(validator=whole)
    type: ClassVar[str] = "one_of"


@attrs.frozen
class Within(_Metric):
    """Two parameters at most ``r`` apart in a named semimetric."""

    semimetric: str
    r: float = attrs.field(validator=non_negative)
    type: ClassVar[str] = "within"


Metric = Edits | L1 | L2 | LInf | OneSided | OneOf | Within
_METRICS: dict[str, Any] = {"edits": Edits} | {kind.type: kind for kind in (L1, L2, LInf, OneSided, OneOf, Within)}


def metric_from_json(value: Any) -> Metric:
    """Read a metric back; unknown types and keys raise :class:`DomainError`."""
    if isinstance(value, dict) and value.get("type") == "edits":
        value = {"indexed": True, "group": 1, **value}
    result: Metric = from_json(value, _METRICS, "metric")
    return result
