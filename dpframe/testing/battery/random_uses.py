"""Random numbers of NumPy's and Python's generators in a plugin's code: which call, where, and what to take instead."""

from __future__ import annotations

import ast
import contextlib
import inspect
import os
import random
import sys
import textwrap
import types
from collections.abc import Iterable, Iterator
from typing import Any

import attrs
import numpy as np

from dpframe.testing.battery.reporting import Failure

MAKERS = (np.random.default_rng, np.random.RandomState, np.random.Generator, random.Random, random.SystemRandom)
GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
SHARED = (getattr(np.random.random, "__self__", None), getattr(random.random, "__self__", None))
"""Of which functions of the modules themselves draw."""
DECLARED = ("registration", "docstring", "domain", "roundtrip")
"""Layers that no random number is refuted in."""
MOST = 50
"""Functions of a plugin that are looked at."""
INSTEAD = {
    "mechanism": "take its third argument, which is exact: noise.laplace(scale, size), noise.gaussian(sigma, size)",
    "mask": "take its third argument: normals(size)",
    "learner": "take its second argument, the block's own generator",
}
"""What a function of each kind takes its random numbers from."""
NOTHING = "draw nothing there: it must give the same each time, and noise is added by dp.release and a mechanism"


@attrs.frozen
class Use:
    """One call: its text, the function it stands in, file and line, and whose the generator is."""

    call: str
    function: str
    file: str
    line: int
    of: str

    def __str__(self) -> str:
        return f"{self.call} in {self.function} ({self.file}:{self.line}), {self.of}"


def uses_of(function: Any) -> list[Use]:
    """The calls of global generators, and such as make generators, in a function and what it calls in its module.

    Examples
    --------
    >>> uses_of(lambda rows: rows)
    []
    """
    found: list[Use] = []
    todo, seen = [inspect.unwrap(function)], set[int]()
    while todo and len(seen) < MOST:
        one = todo.pop(0)
        one = getattr(one, "__func__", one)
        if id(one) in seen or not isinstance(one, types.FunctionType):
            continue
        seen.add(id(one))
        for call, thing in _calls(one):
            if of := _whose(call, thing):
                line = one.__code__.co_firstlineno + call.lineno - 1
                file = os.path.basename(one.__code__.co_filename)
                found.append(Use(f"{ast.unparse(call.func)}(...)", one.__name__, file, line, of))
            elif getattr(thing, "__globals__", None) is one.__globals__:
                todo.append(thing)
    return found


def _whose(call: ast.Call, thing: Any) -> str:
    """Whose generator a call draws from, or makes; empty if none, or one that draws the same each time."""
    generator = getattr(thing, "__self__", None)
    if isinstance(generator, GENERATORS):
        return (
            "a generator that all code shares"
            if any(generator is one for one in SHARED)
            else "a generator that its module keeps"
        )
    told = [*call.args, *(word.value for word in call.keywords)]
    fixed = told and all(isinstance(value, ast.Constant) and value.value is not None for value in told)
    return "a generator that it makes" if not fixed and any(thing is maker for maker in MAKERS) else ""


def noted(failures: Iterable[Failure], kind: str, function: Any) -> tuple[str, ...]:
    """What a function that was refuted draws from, where it may not: a note, or none."""
    if any(f.layer not in DECLARED for f in failures):
        with contextlib.suppress(Exception):  # code may be anything, and this is but a note
            return tuple(filter(None, [words(kind, function)]))
    return ()


def words(kind: str, function: Any) -> str:
    """What a function of this kind draws from where it may not, and what it takes in its place; empty if none is seen.

    Parameters
    ----------
    kind : str
        "mechanism", "mask", "learner" or another.
    function : callable
    """
    known = uses_of(function)
    if not known:
        return ""
    shown = "; ".join(str(use) for use in known[:3])
    return f"it draws from {shown}; {INSTEAD.get(kind, NOTHING)}"


def _calls(function: types.FunctionType) -> Iterator[tuple[ast.Call, Any]]:
    """Calls in its source, each with what is called, where modules and names of its own tell that."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):  # a function without a file, or in the middle of a line
        return
    known = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    for node in ast.walk(tree):
        for name in node.names if isinstance(node, ast.Import) else ():
            known[name.asname or name.name.partition(".")[0]] = sys.modules.get(
                name.name if name.asname else name.name.partition(".")[0]
            )
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node, _thing(node.func, known)


def _thing(node: ast.expr, known: dict[str, Any]) -> Any:
    """What a name, or an attribute of modules, stands for; None where that is not told."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute):
        home = _thing(node.value, known)
        return getattr(home, node.attr, None) if isinstance(home, (types.ModuleType, *GENERATORS)) else None
    return None
