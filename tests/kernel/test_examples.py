"""Every operation of the kernel shows what it is for: an example in its own docstring, run with the other doctests."""

from __future__ import annotations

import doctest

import pytest

from dpframe.kernel.operations import Operation
from dpframe.kernel.own.base import Owned
from dpframe.kernel.registry import operations

KERNEL = {name: kind for name, kind in operations().items() if kind.__module__.startswith("dpframe.kernel.")}
SHOWN = sorted(name for name, kind in KERNEL.items() if not issubclass(kind, Owned))
"""Those of plugins' own stand in a plugin's file, never in a docstring: docs/extending.md has them."""


def examples(kind: type[Operation]) -> list[doctest.Example]:
    """What the docstring of the class itself runs, its base's left out."""
    return doctest.DocTestParser().get_examples(vars(kind).get("__doc__") or "")


@pytest.mark.parametrize("name", SHOWN)
def test_an_operation_shows_what_it_is_for(name: str) -> None:
    """An example of its own that runs the operation and shows something."""
    kind = KERNEL[name]
    found = examples(kind)
    assert any(e.want for e in found), f"{kind.__module__}.{kind.__name__} has no example with a result"
    used = (kind.__name__, f"dp.{name}(")
    assert any(word in e.source for e in found for word in used), f"the example of {name!r} does not use it"


def test_what_is_missing_is_seen() -> None:
    """A class without an example of its own does not pass with its base's; text about one is none."""

    class Silent(KERNEL["count"]):  # type: ignore[misc]
        """As ``count``; see the examples there."""

    assert examples(KERNEL["count"])
    assert not examples(Silent)
