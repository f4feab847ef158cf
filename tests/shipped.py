"""Which of the registered names are the project's own: other tests register theirs in the same process."""

from __future__ import annotations

from dpframe.kernel import registry


def is_shipped(name: str) -> bool:
    """Whether an operation or composite is dpframe's or one of its plugins'; any other name, unless it is a test's."""
    found = {**registry.operations(), **registry.composites()}.get(name)
    if found is not None:
        return found.__module__.partition(".")[0] in {"dpframe", "dpframe_plugins"} and not name.startswith("example.")
    return not name.startswith(("test", "mutant"))
