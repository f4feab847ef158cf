"""What a numpydoc docstring says: its first line, its sections, and its parameters one by one.

Examples
--------
>>> def f(x, *, k, seed=0):
...     '''Do it.
...
...     Parameters
...     ----------
...     k, seed : int
...         A number
...         of things.
...     '''
>>> summary(f), described(f)["seed"]
('Do it.', Described(type='int', text='A number of things.'))
"""

from __future__ import annotations

import inspect
import re
from typing import Any

import attrs

_ENTRY = re.compile(r"\*{0,2}(\w+(?:, \*{0,2}\w+)*)(?: : (.*))?")


@attrs.frozen
class Described:
    """What a docstring says of one parameter."""

    type: str
    text: str


def summary(thing: Any) -> str:
    """The first line; empty where there is none."""
    return next(iter((inspect.getdoc(thing) or "").splitlines()), "")


def section(thing: Any, title: str) -> str:
    """The text under a heading; empty where there is none."""
    lines = (inspect.getdoc(thing) or "").splitlines()
    heads = [i for i in range(len(lines) - 1) if lines[i].strip() and re.fullmatch(r"-{3,}", lines[i + 1].strip())]
    for here, after in zip(heads, [*heads[1:], len(lines)], strict=False):
        if lines[here].strip() == title:
            return inspect.cleandoc("\n".join(lines[here + 2 : after])).strip()
    return ""


def described(thing: Any) -> dict[str, Described]:
    """The parameters of the docstring by name, of a class its bases' too; several named together share what is said."""
    bases = thing.__mro__[1:-1] if isinstance(thing, type) else ()
    found = {name: said for base in reversed(bases) for name, said in described(base).items()}
    names: list[str] = []
    kind, said = "", list[str]()

    def keep() -> None:
        found.update({name: Described(kind, " ".join(said)) for name in names})

    for line in section(thing, "Parameters").splitlines():
        entry = _ENTRY.fullmatch(line.rstrip())
        if line[:1].isspace() or not entry:
            said += [line.strip()] if line.strip() else []
            continue
        keep()
        names, kind, said = [n.lstrip("*") for n in entry[1].split(", ")], entry[2] or "", []
    keep()
    return found


def choices(kind: str) -> tuple[str, ...]:
    """The texts of a type ``{"a", "b"}``; none for another.

    Examples
    --------
    >>> choices('{"gaussian", "laplace"}')
    ('gaussian', 'laplace')
    """
    listed = re.fullmatch(r"\{((?:[\"'][^\"']*[\"'](?:, )?)+)\}(?:, optional)?", kind.strip())
    return tuple(re.findall(r"[\"']([^\"']*)[\"']", listed[1])) if listed else ()
