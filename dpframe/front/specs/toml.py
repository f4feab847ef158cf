"""A small TOML writer: the same data always gives the same bytes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from dpframe.errors import SpecError

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def dumps(document: Mapping[str, Any]) -> str:
    """TOML text of plain data: keys in their order, values first, then tables, then arrays of tables.

    Raises
    ------
    SpecError
        For a value TOML has no form for.

    Examples
    --------
    >>> print(dumps({"a": 1, "t": {"b": [0.5, "x"]}, "node": [{"name": "n"}]}))
    a = 1
    <BLANKLINE>
    [t]
    b = [0.5, "x"]
    <BLANKLINE>
    [[node]]
    name = "n"
    <BLANKLINE>
    """
    return "\n".join(_lines(document, ())).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    nested = {k: v for k, v in table.items() if _is_table(v) or _is_tables(v)}
    for key, value in table.items():
        if key not in nested:
            yield f"{_key(key)} = {_value(value, (*path, key))}"
    for key, value in nested.items():
        here = (*path, key)
        name = ".".join(_key(k) for k in here)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(value, list):
                yield from ("", f"[[{name}]]")
            elif not item or not all(_is_table(v) or _is_tables(v) for v in item.values()):
                yield from ("", f"[{name}]")
            yield from _lines(item, here)


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, Mapping) for v in value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any, path: tuple[str, ...]) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(v, path) for v in value) + "]"
    raise SpecError(f"{'.'.join(path)}: a {type(value).__name__} has no form in a spec", fix="use numbers and strings")
