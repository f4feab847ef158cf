"""The table of broken operations, and how one gets into it."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.kernel.operations import Operation

TABLE: list[tuple[str, type[Operation], str, str]] = []
"""Name, broken class, the kernel operation it is like, the layer that must catch it."""


def breaks(layer: str, like: str) -> Any:
    """Add a class to the table."""

    def keep(cls: type[Operation]) -> type[Operation]:
        made = attrs.frozen(cls)
        TABLE.append((cls.__name__, made, like, layer))
        return made

    return keep
