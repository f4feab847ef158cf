"""A mutant: a deliberately broken twin, the layer that must catch it, and the twin that must pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

LAYERS = {
    "planner": "the plan is refused, or charged more than the literal text says, before any data is read",
    "run": "the table is refused before anything is spent: what only the table can show",
    "verify": "the certificate of a faulty planner, or a forged one, is rejected",
    "contract": "the battery of `dpframe check` refutes the operation",
    "law": "the exact law of the release, enumerated, costs more than is charged",
    "audit": "more privacy loss is shown from samples than is claimed",
}


@attrs.frozen(eq=False)
class Mutant:
    """One fault.

    Attributes
    ----------
    name : str
    fault : str
        What is broken, in one line.
    layer : str
        A key of :data:`LAYERS`: where it must be caught.
    reason : str
        What the layer must say of it: words of the refusal, or the battery's layer.
    broken, sound : callable
        Make what the layer judges: the broken twin and the one that must pass.
    source : str
        Where the fault is known from.
    """

    name: str
    fault: str
    layer: str = attrs.field(validator=attrs.validators.in_(LAYERS))
    reason: str
    broken: Callable[[], Any]
    sound: Callable[[], Any]
    source: str = "issue"


def table(layer: str, *rows: tuple[Any, ...]) -> list[Mutant]:
    """Mutants of one layer from rows (name, fault, reason, broken, sound[, source])."""
    return [Mutant(name, fault, layer, *rest) for name, fault, *rest in rows]
