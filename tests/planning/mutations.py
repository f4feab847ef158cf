"""Changes of a JSON document, one place at a time, for attacks on certificates."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value of a document with the way to it, containers included."""
    if path:
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


def at(document: Any, path: Path) -> Any:
    """The value at a path."""
    for key in path:
        document = document[key]
    return document


def put(document: Any, path: Path, value: Any) -> Any:
    """A copy with another value at the path."""
    changed = copy.deepcopy(document)
    at(changed, path[:-1])[path[-1]] = value
    return changed


def drop(document: Any, path: Path) -> Any:
    """A copy without the value at the path."""
    changed = copy.deepcopy(document)
    del at(changed, path[:-1])[path[-1]]
    return changed


def double(document: Any, path: Path) -> Any:
    """A copy with a list item twice."""
    changed = copy.deepcopy(document)
    at(changed, path[:-1]).insert(path[-1], at(changed, path))
    return changed


def swap(document: Any, path: Path) -> Any:
    """A copy with a list item and the one after it exchanged."""
    changed = copy.deepcopy(document)
    row, i = at(changed, path[:-1]), int(path[-1])
    row[i], row[(i + 1) % len(row)] = row[(i + 1) % len(row)], row[i]
    return changed


def numbers(value: Any) -> list[Any]:
    """Other numbers near a number: halved, doubled, a millionth less, none, its negative, one more."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return []
    found = [value / 2, value * 2, value * (1 - 1e-6), 0, -value, value + 1]
    if isinstance(value, int):
        found += [value // 2]
    return [other for other in found if other != value]
