"""Checks shared by constructors, and the allow-listed reading of JSON objects."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import attrs

from dpframe.errors import DomainError

MOST_BITS = 26
"""The finest lattice: a clipped row's squared norm stays below 2^53."""
MOST_COLUMNS = 2**22
"""What a fold takes."""
MOST_LISTED = 2**24
"""The longest list of counts that are held at once."""
MOST_ROWS = 2**40
"""The most rows that exact scores are scaled to."""


def shown(value: object) -> str:
    """A wrong value in an error: numbers and words as they are, of other things their type."""
    return repr(value) if value is None or isinstance(value, (int, float, str)) else type(value).__name__


def whole(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    """Attrs validator: a non-negative whole number (``bool`` is not one)."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise DomainError(
            f"{type(instance).__name__}.{attribute.name} must be a whole number >= 0, not {shown(value)}",
            fix="give 0, 1, 2, ...",
        )


def positive_whole(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    """Attrs validator: a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise DomainError(
            f"{type(instance).__name__}.{attribute.name} must be a whole number >= 1, not {shown(value)}",
            fix="give 1, 2, ...",
        )


def up_to(most: int) -> Callable[[object, attrs.Attribute[Any], object], None]:
    """Attrs validator: a whole number from 1 to ``most``, what memory or int64 hold."""

    def check(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
        positive_whole(instance, attribute, value)
        if isinstance(value, int) and value > most:
            raise DomainError(
                f"{type(instance).__name__}.{attribute.name} must be at most {most}, not {shown(value)}",
                fix=f"use {most} or less",
            )

    return check


def lattice_bits(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    """Attrs validator: the bits of a lattice on which rows stay exact, 1..26."""
    positive_whole(instance, attribute, value)
    if not isinstance(value, int) or value > MOST_BITS:
        raise DomainError(
            f"{type(instance).__name__}.{attribute.name} must be at most {MOST_BITS}, not {shown(value)}",
            fix="use 18 to 20 bits",
        )


def positive(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    """Attrs validator: a positive finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not (0 < value < math.inf):
        raise DomainError(
            f"{type(instance).__name__}.{attribute.name} must be positive and finite, not {shown(value)}",
            fix="give a number above 0",
        )


def non_negative(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    """Attrs validator: a number ``>= 0``; infinity is allowed and means 'no bound'."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
        raise DomainError(
            f"{type(instance).__name__}.{attribute.name} must be a number >= 0, not {shown(value)}",
            fix="give 0 or more",
        )


def from_json(value: Any, table: dict[str, Any], what: str) -> Any:
    """Build a frozen value from its JSON object by an allow-listed type name."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str) or value["type"] not in table:
        raise DomainError(f"not a {what}: {str(value)[:80]!r}")
    cls = table[value["type"]]
    keys = {k: v for k, v in value.items() if k != "type"}
    names = {a.name for a in attrs.fields(cls)}
    if set(keys) != names:
        raise DomainError(f"{what} {value['type']!r} takes {sorted(names)}, not {sorted(keys)}")
    if "item" in keys:
        keys["item"] = from_json(keys["item"], table, what)
    return cls(**keys)
