"""Columns of a table by their names, for estimators: descriptions that a run opens, and what a header says."""

from __future__ import annotations

from typing import Any

from dpframe.runtime.sources import Coded, Named, Values, Whole, open_source, vector


def column_of(data: Any, name: str | int) -> Values | Named:
    """A column of a table: of a frame in memory its own cells, whose type is known."""
    if isinstance(name, str) and hasattr(data, "columns") and hasattr(data, "__getitem__"):
        return Values(vector(data[name]))
    return Named(data, name)


def names_of(data: Any) -> tuple[str, ...]:
    """What the columns of a table are called, whatever they hold."""
    found: list[str] = []

    def choose(names: tuple[str, ...], named: bool) -> tuple[str, ...]:
        found.extend(names)
        return names[:1]

    open_source(data, columns=Coded(Whole(), choose))
    return tuple(found)
