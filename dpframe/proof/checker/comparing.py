"""Numbers that a certificate gives against those that were recomputed: the same, up to rounding; and the widest."""

from __future__ import annotations

import math
from typing import Any

from dpframe.proof.losses import Loss
from dpframe.proof.spaces import Edits
from dpframe.proof.theorems import Metrics

EXACT = 1e-12
ROUNDED = 1e-9


def alike(a: Metrics, b: Metrics) -> bool:
    """Whether two tuples of metrics are the same kind by kind, up to rounding."""
    return len(a) == len(b) and all(
        type(x) is type(y) and near(x.to_json(), y.to_json(), EXACT) for x, y in zip(a, b, strict=True)
    )


def widest(met: list[Metrics]) -> Metrics:
    """Kind by kind the largest of the metrics that all have; the first where several are largest."""
    out: list[Any] = []
    for sample in met[0]:
        found = [[m for m in metrics if type(m) is type(sample)] for metrics in met]
        if all(found):
            out.append(max((m for some in found for m in some), key=_size))
    return tuple(out)


def _size(metric: Any) -> float:
    if isinstance(metric, Edits):
        return float(metric.total)
    fields = metric.to_json()
    return float(fields.get("bound", fields.get("changed", fields.get("r", 0.0))))


def close(a: Loss, b: Loss, relative: float) -> bool:
    """Whether two losses are the same event by event, up to rounding."""
    return near(a.to_json(), b.to_json(), relative)


def near(a: Any, b: Any, relative: float) -> bool:
    """Whether two JSON values agree, numbers up to a relative difference; infinity agrees with itself only."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(near(a[key], b[key], relative) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(near(x, y, relative) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) or isinstance(b, float):
        numbers = not isinstance(a, (bool, str)) and not isinstance(b, (bool, str))
        return numbers and (a == b or abs(a - b) <= relative * max(abs(a), abs(b)) < math.inf)
    return type(a) is type(b) and bool(a == b)
