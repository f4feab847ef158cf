"""What is known of an operation of a plugin's own before it is built, and the digest of the plugin it comes from.

A plugin can add to this table and never to the kernel's: what runs are the kernel's own classes
(:mod:`dpframe.kernel.own`), which are told a name of this table. ``docs/extending.md`` shows how one is written.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from dpframe.errors import SpecError
from dpframe.proof.certificates import digest as sha256
from dpframe.proof.spaces.checks import plain
from dpframe.version import VERSION

MOST_FILES, MOST_BYTES = 4096, 2**27
"""What a plugin's folder may hold."""
PASSING = frozenset({"__pycache__", ".git", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"})
"""Folders that tools keep, and Python imports nothing of."""
REQUIRED = inspect.Parameter.empty


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
    folder : Path
    digest : str
        Of all files of the folder and the version of dpframe, when it was registered.
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
    folder: Path = Path()
    digest: str = ""

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
        made = {"of": self.name, "settings": as_text(settings), "plugin": self.digest, "assumes": self.assumes}
        try:
            return {**made, **self.fields(settings)}
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


def folder_of(function: Callable[..., Any]) -> Path:
    """The folder of a plugin: that of its file, or of the outermost package it is in.

    Raises
    ------
    SpecError
        For a function of no file: what it is could not be named in a certificate.
    """
    try:
        place = Path(inspect.getfile(function)).resolve()
    except (TypeError, OSError):
        place = Path()
    if not place.is_file():
        raise SpecError(
            "an operation of one's own stands in a file, so that a certificate can name it by its digest",
            fix="put it into a .py file of a folder of its own, and use --plugins or import it",
        )
    folder = place.parent
    while (folder / "__init__.py").is_file() and (folder.parent / "__init__.py").is_file():
        folder = folder.parent
    return folder


def digest_of(folder: Path) -> str:
    """SHA-256 of every file of a folder by its name, with the version of dpframe.

    Raises
    ------
    SpecError
        For more than a plugin's folder may hold, or a link to another folder, whose files it would not cover.
    """
    lines, total = [f"dpframe {VERSION}"], 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in PASSING)
        linked = [name for name in folders if os.path.islink(os.path.join(place, name))]
        files = [Path(place, name) for name in sorted(names) if not name.endswith(".pyc")]
        total += sum(path.stat().st_size for path in files if path.is_file())
        if linked or total > MOST_BYTES or len(lines) + len(files) > MOST_FILES:
            why = f"a link to another folder, {linked[0]!r}" if linked else "more than a plugin's own files"
            raise SpecError(
                f"plugin folder {str(folder)!r} holds {why}, so a digest can't cover it",
                fix="put the plugin into a folder of its own",
            )
        kept = [path for path in files if path.is_file()]
        lines += [f"{path.relative_to(folder).as_posix()!r} {sha256(path.read_bytes())}" for path in kept]
    return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).hexdigest()


def parameters_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The keyword-only parameters of a function with their defaults."""
    known = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in known if p.kind is p.KEYWORD_ONLY}
