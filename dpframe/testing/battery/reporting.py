"""What the battery says: the layers it ran, what each found, and the smallest counterexample."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

LAYERS: Mapping[str, str] = {
    "registration": "it is registered under its name, of one kind, and may cite its theorem",
    "docstring": "summary, what every parameter is, and Formal guarantees where privacy is concerned",
    "case": "parameters and input domains were found that it accepts",
    "shapes": "wrong inputs are refused with a PlanError that names a fix",
    "rowwise": "a row's image depends on that row and released values alone, bit for bit",
    "partition": "a row's part depends on that row, its index where it is cut by index, and released values alone",
    "grouping": "a row is in at most one group, and a group's image depends on its own rows alone",
    "stability": "no more rows change than the theorem says",
    "sensitivity": "no neighbours are further apart than the theorem says, in exact integers",
    "order": "order, chunks, places and empty rows do not change an exact value",
    "purity": "the same inputs give the same bits, inputs are left alone, nothing is kept between calls",
    "totality": "no exception and no warning, whatever the rows",
    "domain": "the result belongs to the declared domain, on a lattice that does not depend on the rows",
    "loss": "the loss does not fall when edits or distances grow, nor rise with more noise",
    "sampled": "what samples on neighbours show of the loss is within what is claimed",
    "noise": "a release is a function of the value, the calibration and the source's stream",
    "symmetry": "a semimetric is the same both ways, 0 of a value and itself, and never below 0",
    "triangle": "distances keep the restricted triangle inequality, beyond the rounding of floats",
    "release": "a mask gives as many finite numbers as it is given",
    "law": "the exact law of a release, every value of noise pushed through it, costs no more than is charged",
    "roundtrip": "parameters, spec and certificate survive being written and read",
}
"""Every layer by name, with the property it attacks."""
OF_DECLARATIONS = frozenset({"registration", "docstring", "case"})
"""Layers that look at what is declared, and call nothing on inputs."""
CUT = "… (all of it with --json)"
VARIED = "varied"
"""The key of a counterexample that names parameters which the examples, or a plan, have otherwise."""


@attrs.frozen
class Failure:
    """One refuted property.

    Attributes
    ----------
    layer : str
        A key of :data:`LAYERS`.
    message : str
        What went wrong.
    counterexample : mapping
        The smallest inputs found on which it does, as JSON values.
    """

    layer: str
    message: str
    counterexample: Mapping[str, Any] = attrs.Factory(dict)

    def __str__(self) -> str:
        lines = [f"{self.layer}: {self.message}"]
        width = max((len(k) for k in self.counterexample), default=0)
        lines += [f"    {key:<{width}} = {shown(value)}" for key, value in self.counterexample.items()]
        return "\n".join(lines)


@attrs.frozen
class Report:
    """What the battery found on one operation.

    Attributes
    ----------
    name, kind : str
    failures : tuple of Failure
    layers : tuple of str
        The layers that ran.
    notes : tuple of str
        What is worth knowing and refutes nothing, such as how close the worst neighbours come to the bound.
    seconds : float
    skipped : tuple of str
        What was not attacked, each with the reason. It refutes nothing.
    """

    name: str
    kind: str
    failures: tuple[Failure, ...]
    layers: tuple[str, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    skipped: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing was refuted."""
        return not self.failures

    @property
    def attacked(self) -> bool:
        """Whether it was ever called on inputs, or is of a kind that never is, such as control flow."""
        return not self.skipped or not OF_DECLARATIONS.issuperset(self.layers)

    def failed(self, layer: str) -> bool:
        """Whether this layer found something."""
        return any(f.layer == layer for f in self.failures)

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        failures = [
            {"layer": f.layer, "message": f.message, "counterexample": dict(f.counterexample)} for f in self.failures
        ]
        return {
            "name": self.name,
            "kind": self.kind,
            "holds": self.holds,
            "failures": failures,
            "layers": list(self.layers),
            "notes": list(self.notes),
            "not_attacked": list(self.skipped),
            "seconds": round(self.seconds, 3),
        }

    def __str__(self) -> str:
        found = dict.fromkeys(f.layer for f in self.failures)
        verdict = f"REFUTED in {', '.join(found)}" if found else "holds" if self.attacked else "never attacked"
        layers = f"{len(self.layers)} layer{'' if len(self.layers) == 1 else 's'}"
        lines = [f"{self.name} ({self.kind}): {verdict}; {layers}, {self.seconds:.1f} s"]
        lines += ["  " + line for failure in self.failures for line in str(failure).splitlines()]
        lines += [f"  note: {note}" for note in self.notes]
        lines += [f"not attacked: {self.name}, {why}" for why in self.skipped]
        return "\n".join(lines)


def plain(value: Any) -> Any:
    """A value of a counterexample as JSON: arrays to lists, frozen values to their fields, the rest to text."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if attrs.has(type(value)):
        return {a.name: plain(getattr(value, a.name)) for a in attrs.fields(type(value))}
    return str(value)


def shown(value: Any, limit: int = 400) -> str:
    """One line of text; what is cut off, ``dpframe check --json`` writes."""
    text = str(value)
    return text if len(text) <= limit else f"{text[: limit - len(CUT)]}{CUT}"
