"""What is known of an operation of a plugin's own before it is built.

A plugin can add to this table and never to the kernel's: what runs are the kernel's own classes
(:mod:`dpframe.kernel.own`), which are told a name of this table. ``docs/extending.md`` shows how one is written.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from dpframe.errors import SpecError
from dpframe.kernel.origins import Origin
from dpframe.proof.spaces.checks import plain

REQUIRED = inspect.Parameter.empty
EXPRESSED: Mapping[str, str] = {
    "own_contribution": "express_sum",
    "own_transform": "express",
    "own_partition": "express_parts",
}
"""The kernel's operation that evaluates a formula, where a plugin's function of rows writes one."""


@attrs.frozen(eq=False)
class Own:
    """One operation of a plugin's own.

    Attributes
    ----------
    name, kind, operation : str
        Registered name, kind, and the kernel's operation that runs it.
    function : callable
        What the plugin computes.
    parameters : mapping
        Its keyword-only parameters with their defaults; ``REQUIRED`` where there is none.
    fields : callable
        ``settings -> fields`` of the kernel's operation.
    claim : callable, optional
        What is asserted: a sensitivity or a loss.
    takes : str
        The distance that a mechanism's loss is a function of.
    proved_for : tuple of (removed, added)
        The only edits that the claim is proved for; empty for all that the claim itself takes.
    source : str
        Where the proof stands.
    assumes : tuple of str
        Hypotheses of that proof.
    examples : mapping
        Parameters to attack it with.
    origin : Origin
        The plugin's folders and their digest when it was registered.
    """

    name: str
    kind: str
    operation: str
    function: Callable[..., Any]
    parameters: Mapping[str, Any]
    fields: Callable[[Mapping[str, Any]], dict[str, Any]]
    claim: Callable[..., Any] | None = None
    takes: str = ""
    proved_for: tuple[tuple[int, int], ...] = ()
    source: str = ""
    assumes: tuple[str, ...] = ()
    examples: Mapping[str, Any] = attrs.Factory(dict)
    origin: Origin = attrs.Factory(Origin)

    @property
    def expressed(self) -> bool:
        """Whether the function writes a formula of the kernel's: then no code of the plugin ever sees a row."""
        return self.operation in EXPRESSED.values()

    @property
    def digest(self) -> str:
        """Of all files of the plugin's folders and the version of dpframe, when it was registered."""
        return self.origin.digest

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters by name, as JSON values.

        Raises
        ------
        SpecError
            For an unknown or a missing one.
        """
        for key in given:
            if key not in self.parameters:
                known = ", ".join(self.parameters) or "no parameters"
                raise SpecError(f"operation {self.name!r} has no parameter {key!r}", fix=f"it takes {known}")
        found = {**{k: v for k, v in self.parameters.items() if v is not REQUIRED}, **given}
        missing = [key for key in self.parameters if key not in found]
        if missing:
            raise SpecError(f"operation {self.name!r} needs {', '.join(missing)}", fix=f"give {missing[0]}")
        try:
            values: dict[str, Any] = json.loads(json.dumps({k: plain(v) for k, v in found.items()}, allow_nan=False))
        except (TypeError, ValueError):
            raise SpecError(
                f"operation {self.name!r}: parameters are numbers, texts and lists", fix="give such a value"
            ) from None
        return values

    def given(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fields of the kernel's operation for what a program gives; share and noise go to the kernel."""
        kernel = ("share", "noise_multiplier") if self.kind == "mechanism" else ()
        taken = {k: v for k, v in parameters.items() if k in kernel and k not in self.parameters}
        settings = self.settings({k: v for k, v in parameters.items() if k not in taken})
        return {**self.fields_of(settings), **taken}

    def fields_of(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Fields of the kernel's operation for these parameters."""
        own = {"of": self.name, "settings": as_text(settings), "plugin": self.digest, "assumes": self.assumes}
        try:
            return {**({} if self.expressed else own), **self.fields(settings)}
        except (TypeError, ValueError, KeyError, ArithmeticError) as error:
            raise SpecError(
                f"operation {self.name!r} can't be declared with {as_text(settings)}: {error}",
                fix="check its parameters",
            ) from None


OWNED: dict[str, Own] = {}
"""All that is registered, by name; :mod:`dpframe.kernel.registry` fills it."""


def as_text(settings: Mapping[str, Any]) -> str:
    """Parameters as JSON text: the same ones are the same text."""
    return json.dumps(dict(settings), sort_keys=True, allow_nan=False, ensure_ascii=False)
