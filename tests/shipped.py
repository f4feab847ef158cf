"""Which of the registered names are the project's own: other tests register theirs in the same process."""

from __future__ import annotations

from dpframe.kernel import registry
from dpframe.kernel.own.base import owned


def is_shipped(name: str) -> bool:
    """Whether what is registered under a name, of any kind, is dpframe's or one of its plugins'."""
    functions = {other: function for other, (_, function) in registry.others().items()}
    functions |= {other: own.function for other, own in owned().items()}
    found = {**functions, **registry.operations(), **registry.composites()}[name]
    return found.__module__.partition(".")[0] in {"dpframe", "dpframe_plugins"} and not name.startswith("example.")
