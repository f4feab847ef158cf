"""Install an operation for the length of a test, declared as a kernel operation is.

A plugin can't do this: operations on private values are declared beside their theorems. Tests plant broken twins to see
them caught.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import attrs

from dpframe.kernel import registry
from dpframe.kernel.operations import Operation
from dpframe.proof.theorems import DECLARATIONS, THEOREMS, Theorem


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
        The kernel operation whose declaration it shares, but for a theorem of its own; empty for a post.

    Examples
    --------
    >>> from dpframe.kernel.statistics.count import Count
    >>> with planted("twin.count", type("Twin", (Count,), {"__doc__": "Rows."}), like="count") as twin:
    ...     twin.name in registry.operations()
    True
    >>> "twin.count" in registry.operations()
    False
    """
    registry.discover()
    if like:
        known = DECLARATIONS[like]
        fields = " ".join(a.name for a in attrs.fields(cls) if a.init)
        DECLARATIONS[name] = attrs.evolve(known, name=name, theorem=cls.theorem or known.theorem, parameters=fields)
    registry.register(name)(cls)
    try:
        yield cls
    finally:
        registry._operations.pop(name, None)
        DECLARATIONS.pop(name, None)


@contextlib.contextmanager
def added_theorem(name: str, kind: str, rule: Any) -> Iterator[None]:
    """A theorem for the length of a test: the wrong claim that a broken twin rests on."""
    THEOREMS[name] = Theorem(name, kind, "a claim under test", "tests", rule)
    try:
        yield
    finally:
        THEOREMS.pop(name, None)
