"""Checks shared by constructors, and the allow-listed reading of JSON objects."""

from __future__ import annotations

import math
from typing import Any

import attrs
import numpy as np

from dpframe.errors import DomainError

MOST_BITS = 26
"""The finest lattice: a clipped row's squared norm stays below 2^53."""


_SCALAR_KINDS = "biufcU"


def shown(value: object) -> str:
    """A wrong value in an error: numbers and words as they are, of other things their type."""
    return repr(value) if value is None or isinstance(value, (int, float, str)) else type(value).__name__


def scalar(value: Any) -> Any:
    """NumPy's scalars and 0-d arrays as Python's own values; anything else as it is. A converter of attrs fields.

    Examples
    --------
    >>> scalar(np.float32(0.5)), scalar(np.array(3)), scalar(np.True_), scalar("3")
    (0.5, 3, True, '3')
    """
    if not isinstance(value, (np.generic, np.ndarray)) or value.ndim or value.dtype.kind not in _SCALAR_KINDS:
        return value
    item = value.item()
    return float(item) if isinstance(item, np.floating) else item  # a long double has no number of Python's own


def plain(value: Any) -> Any:
    """As :func:`scalar`, inside lists and tuples too; an array is nested lists.

    Examples
    --------
    >>> plain([np.int64(1), (np.float64(0.5), "a")]), plain(np.eye(2))
    ([1, (0.5, 'a')], [[1.0, 0.0], [0.0, 1.0]])
    """
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(plain(v) for v in value)
    return value.tolist() if isinstance(value, np.ndarray) and value.ndim else scalar(value)


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
