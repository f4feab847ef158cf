"""Columns of a table by their names, for estimators: descriptions that a run opens, and what a header says."""

from __future__ import annotations

from typing import Any

from dpframe.errors import DataError
from dpframe.runtime.sources import Coded, Named, Values, Whole, open_source, vector
from dpframe.runtime.sources.pieces import unchained


def column_of(data: Any, name: str | int) -> Values | Named:
    """A column of a table: of a frame in memory its own cells, whose type is known; of others it is read with them."""
    if isinstance(name, str) and hasattr(data, "columns") and hasattr(data, "__getitem__") and not is_dask(data):
        return Values(cells_of(data[name]))
    return Named(data, name)


def is_dask(data: Any) -> bool:
    """Whether Dask computes it anew whenever it is read."""
    return type(data).__module__.partition(".")[0].startswith("dask")


def cells_of(column: Any) -> Any:
    """A column as a vector. A lazy one is computed here, by code that is not ours: its errors may quote a cell."""
    fix = "compute it on its own first, and give one value a row"
    return unchained(lambda: vector(column), lambda: DataError("a column could not be read as a vector", fix=fix))


def names_of(data: Any) -> tuple[str, ...]:
    """What the columns of a table are called, whatever they hold."""
    found: list[str] = []

    def choose(names: tuple[str, ...], named: bool) -> tuple[str, ...]:
        found.extend(names)
        return names[:1]

    open_source(data, columns=Coded(Whole(), choose))
    return tuple(found)
