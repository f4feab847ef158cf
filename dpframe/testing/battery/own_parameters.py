"""Operations of one's own with other parameters than those of their examples, on which a claim may hold by chance.

A plan takes all that a plugin accepts, so a claim must hold for it, or be refused.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any

from dpframe.kernel import registry
from dpframe.kernel.owned import Own
from dpframe.testing.battery import sizes

FACTORS = (3.0, 1 / 3.0)
MOST, MOST_OWN, MOST_WHOLE = 6, 3, 200


def code_of(operation: Any) -> list[Any]:
    """What the numbers that an operation speaks of stand in: its function, and its parameters."""
    return [operation.known.function, dict(operation.keywords)]


def others(known: Own, operation: Any) -> Iterator[Any]:
    """The operation with one of its numbers, or all of a list, three times as large, or a third; a few of these.

    And with a whole one of them just beyond a number in the function's code, where it may do otherwise.
    """
    told = dict(operation.keywords)
    extra = {"share": 1.0} if known.kind == "mechanism" else {}
    scaled = [{**told, name: _scaled(value, f)} for f in FACTORS for name, value in told.items()]
    whole = [name for name, value in told.items() if type(value) is int and value > 0]
    own = [c for c in sizes.constants(known.function) if c <= MOST_WHOLE][:MOST_OWN]
    beyond = [{**told, name: math.floor(c) + 1} for c in own for name in whole[:1]]
    for other in [*[one for one in scaled if one != told][:MOST], *beyond]:
        with contextlib.suppress(Exception):  # its parameters need not be such that they can be others
            yield registry.build(known.name, {**other, **extra})


def _scaled(value: Any, factor: float) -> Any:
    """A larger or smaller number of the same kind: whole, a fraction, or any.

    Examples
    --------
    >>> _scaled(5, 3.0), _scaled(1.0, 3.0), round(_scaled(0.5, 3.0), 3), _scaled([1.0, 2.0], 3.0), _scaled(True, 3.0)
    (15, 3.0, 0.833, [3.0, 6.0], True)
    """
    if isinstance(value, (list, tuple)) and value and all(type(v) in (int, float) for v in value):
        return type(value)(v * factor for v in value)
    if type(value) is int and value > 0:
        return max(1, round(value * factor))
    if type(value) is float and math.isfinite(value):
        return 1 - (1 - value) / factor if 0 < value < 1 < factor else value * factor
    return value
