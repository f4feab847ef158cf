"""Install an operation for the length of a test, with a kernel operation's permission to cite its theorem.

A plugin can't do this: the table of theorems names who may cite them. Tests plant broken twins to see them caught.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import attrs

from dpframe import registry
from dpframe.operations import Operation
from dpframe.theorems import SIGNATURES, THEOREMS


@contextlib.contextmanager
def planted(name: str, cls: type[Operation], *, like: str = "") -> Iterator[type[Operation]]:
    """Register ``cls`` under ``name``; everything is as before afterwards.

    Parameters
    ----------
    name : str
        A name that is not registered.
    cls : type
        Its ``name`` is set.
    like : str
        The kernel operation whose signature it shares; empty for a post.

    Examples
    --------
    >>> from dpframe.statistics.count import Count
    >>> with planted("twin.count", type("Twin", (Count,), {"__doc__": "Rows."}), like="count") as twin:
    ...     twin.name in registry.operations()
    True
    >>> "twin.count" in registry.operations()
    False
    """
    registry.discover()
    theorem = THEOREMS.get(cls.theorem)
    registry.register(name)(cls)
    if like and theorem is not None:
        THEOREMS[cls.theorem] = attrs.evolve(theorem, operations=(*theorem.operations, name))
    if like in SIGNATURES:
        SIGNATURES[name] = SIGNATURES[like]
    try:
        yield cls
    finally:
        registry._operations.pop(name, None)
        SIGNATURES.pop(name, None)
        if theorem is not None:
            THEOREMS[cls.theorem] = theorem


@contextlib.contextmanager
def added_theorem(name: str, kind: str, rule: Any) -> Iterator[None]:
    """A theorem for the length of a test: the wrong claim that a broken twin rests on."""
    from dpframe.theorems import Theorem

    THEOREMS[name] = Theorem(name, kind, "a claim under test", "tests", (), rule)
    try:
        yield
    finally:
        THEOREMS.pop(name, None)
