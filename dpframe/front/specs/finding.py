"""A spec by its name: a file, a shipped spec, or a composite, looked up in this order."""

from __future__ import annotations

import difflib
import functools
import importlib.resources
import os
import re
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dpframe.errors import SpecError, nearest
from dpframe.front.specs.docstrings import summary
from dpframe.front.specs.document import Table
from dpframe.front.specs.parsing import parse_spec
from dpframe.front.specs.recipes import Function, Recipe, inputs_of, keys_of
from dpframe.front.specs.spec import Spec
from dpframe.kernel import registry
from dpframe.kernel.operations import Operation
from dpframe.proof.spaces import Kind

LARGEST_FILE = 2**24


def load_spec(where: str | Path, overrides: Mapping[str, Any] | Sequence[str] = (), *, public: bool = False) -> Spec:
    """Read a spec from a path, or a shipped one by its bare name; a composite by its name is a spec too.

    Parameters
    ----------
    where : str or path
        A file of that name comes first, then a shipped spec (``practical_gmm``), then a registered composite
        (``quantile``); anything with a slash or ``.toml`` is a path.
    overrides : mapping, or sequence of "K=V"
    public : bool
        Whether a public table is given: for a composite that may do without.

    Raises
    ------
    SpecError

    Examples
    --------
    >>> load_spec("practical_gmm", ["k=3", "epsilon=2"]).budget
    {'epsilon': 2.0, 'delta': 1e-06}
    """
    return _found(where, public=public).set(overrides)


@functools.cache
def _shipped() -> tuple[str, ...]:
    entries = importlib.resources.files("dpframe_specs").iterdir()
    return tuple(sorted(e.name[:-5] for e in entries if e.name.endswith(".toml")))


def shipped() -> list[str]:
    """Names of the shipped specs."""
    return list(_shipped())


def is_file(name: str) -> bool:
    """Whether there is a file of that name, or a pipe, which a spec is read from too; what no path can be is none."""
    mode = _mode(name)
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode)


def _mode(name: str | Path) -> int:
    """What a name stands for; 0 where it stands for nothing."""
    try:
        return os.stat(name).st_mode
    except (OSError, ValueError):
        return 0


def _found(where: str | Path, *, public: bool) -> Spec:
    name = str(where)
    if isinstance(where, Path) or is_file(name) or "/" in name or name.endswith(".toml"):
        return parse_spec(_text(Path(where)), name)
    if name in shipped():
        text = (importlib.resources.files("dpframe_specs") / f"{name}.toml").read_text(encoding="utf-8")
        return parse_spec(text, name)
    known = registry.find_either(name) if re.fullmatch(r"\S+", name) else None
    if known is None and _mode(name):
        return parse_spec(_text(Path(name)), name)  # a folder, a device: says so
    if known is None:
        every = [*shipped(), *registry.composites(), *difflib.get_close_matches(name, registry.operations(), 1, 0.8)]
        raise SpecError(f"there is no spec or composite {name!r}", fix=nearest(name, every, NONE) + PLUGINS)
    if isinstance(known, type) and issubclass(known, Operation):
        raise SpecError(
            f"{name!r} is an operation of kind {known.kind}, which does not run by itself",
            fix=f"use it in a program or a spec; `dpframe ops {name}` shows how",
        )
    return recipe_spec(name, known, public=public)


def recipe_spec(name: str, function: Function, *, public: bool = False) -> Spec:
    """The spec of a composite: nothing but the composite.

    Parameters
    ----------
    name : str
    function : callable
    public : bool
        Whether a public table is given: for a second input that may be left out.

    Raises
    ------
    SpecError
        For a composite with other inputs than a private table and at most one more.
    """
    handles = [p for p in inputs_of(function) if p.kind is not p.VAR_POSITIONAL]
    required = [p.name for p in handles if p.default is p.empty]
    names = [p.name for p in handles][: max(len(required), 1 + public)]
    if not names or len(required) > 2:
        listed = ", ".join(required) or "none"
        raise SpecError(
            f"composite {name!r} takes the inputs {listed}: a run has one private table and at most one public",
            fix=f'use it in a program, dp.recipe("{name}", ...), or as a node of a spec',
        )
    private, *others = names
    return Spec(
        name=name,
        title=summary(function),
        source="",
        keys=keys_of(function),
        tables=(Table(private, Kind.PRIVATE), *(Table(other, Kind.PUBLIC) for other in others)),
        adjacency=None,
        budget={},
        nodes=(),
        outputs={},
        values={},
        recipe=Recipe(name, function),
    )


NONE = "`dpframe specs` and `dpframe ops` list them"
PLUGINS = " (of a plugin: name its folder with --plugins DIR)"


def _text(path: Path) -> str:
    try:
        text = _read(path)
    except OSError as error:
        raise SpecError(f"spec {str(path)!r} can't be read: {error.strerror}", fix="check the path") from None
    except UnicodeDecodeError:
        raise SpecError(f"spec {str(path)!r} is not text", fix="save it as UTF-8") from None
    except ValueError:  # a null character in the path
        raise SpecError(f"{str(path)!r} is no path", fix="check the path") from None
    if len(text) > LARGEST_FILE:
        raise SpecError(f"{str(path)!r} is too large for a spec", fix="give a .toml file")
    if text.startswith("\ufeff"):
        raise SpecError(f"spec {str(path)!r} begins with a byte order mark", fix="save it as UTF-8 without one")
    return text


def _read(path: Path) -> str:
    """What a file holds, or a pipe gives (``<(...)`` of a shell): opened and read once, up to what is too large.

    A pipe that nobody writes to is not waited for: opened so, it ends at once, and one with a writer is read as usual.
    """
    mode = _mode(path)
    if mode and not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISDIR(mode)):
        raise SpecError(f"{str(path)!r} is neither a file nor a pipe", fix="give a .toml file")
    with open(path, encoding="utf-8", opener=_unwaiting) as file:
        os.set_blocking(file.fileno(), True)
        text = file.read(LARGEST_FILE + 1)
    if not text and stat.S_ISFIFO(mode):
        raise SpecError(f"the pipe {str(path)!r} gives nothing: nobody writes to it", fix="give a .toml file")
    return text


def _unwaiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
