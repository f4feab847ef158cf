"""Checks shared by constructors, and the allow-listed reading of JSON objects."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, TypeGuard

import attrs
import numpy as np

from dpframe.errors import DomainError, DpframeError

LARGEST = sys.float_info.max
MOST_PARTS, MOST_COLUMNS, MOST_NUMBERS = 2**16, 2**22, 2**28
"""Parts of a partition, columns of a table, and numbers of one exact value: a pass holds them all in memory."""
MOST_BITS = 26
"""The finest lattice: a clipped row's squared norm stays below 2^53."""
MOST_LISTED = 2**24
"""The longest list of counts that are held at once."""
LEAST_NOISE, MOST_NOISE = 1e-30, 1e30
"""What a share or a noise multiplier may be: its square and its root stay far within float64."""
MOST_ROWS = 2**40
"""The most rows that exact scores are scaled to."""
MOST_EDITS = 2**26
"""The most rows that two neighbours differ by: sensitivities of so many are whole numbers that float64 holds."""


_SCALAR_KINDS = "biufcU"
Validator = Callable[[object, "attrs.Attribute[Any]", object], None]


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


def finite_number(value: object) -> TypeGuard[float]:
    """Whether it is a number that float64 holds: no NaN, no infinity, no whole number beyond 1.8e308, no ``bool``."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def check_numbers(what: object, count: int) -> None:
    """Refuse a value of more numbers than a pass keeps in memory."""
    if count > MOST_NUMBERS:
        raise DomainError(f"{what} holds {count} numbers, more than {MOST_NUMBERS}", fix="use smaller shapes")


def validator(
    holds: Callable[[Any], bool], what: str, fix: str | None = None, error: type[DpframeError] = DomainError
) -> Validator:
    """An attrs validator that refuses what does not hold, by name."""

    def check(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
        if not holds(value):
            raise error(f"{type(instance).__name__}.{attribute.name} must be {what}, not {shown(value)}", fix=fix)

    return check


def is_whole(value: object, least: int) -> TypeGuard[int]:
    """Whether it is a whole number of at least that, and no ``bool``."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


whole = validator(lambda v: is_whole(v, 0), "a whole number >= 0", "give 0, 1, 2, ...")
positive_whole = validator(lambda v: is_whole(v, 1), "a whole number >= 1", "give 1, 2, ...")
positive = validator(lambda v: finite_number(v) and v > 0, "positive and finite", "give a number above 0")
non_negative = validator(lambda v: v == math.inf or (finite_number(v) and v >= 0), "a number >= 0", "give 0 or more")
finite = validator(finite_number, "a finite number", "give a number")
edited = validator(
    lambda v: is_whole(v, 0) and v <= MOST_EDITS, f"a whole number from 0 to {MOST_EDITS}", "give 0, 1, 2, ..."
)
above_one = validator(lambda v: finite_number(v) and v > 1, "a number above 1", "use 2.0, say")
fraction = validator(lambda v: finite_number(v) and 0 < v < 1, "a number between 0 and 1", "use 0.1, say")
"""Attrs validators. A ``bool`` is no number; infinity is one for `non_negative` alone, and means 'no bound'."""


def up_to(most: int, fix: str = "") -> Validator:
    """Attrs validator: a whole number from 1 to ``most``, what memory or int64 hold."""
    fix = fix or f"use a whole number from 1 to {most}: a pass keeps them all in memory"
    return validator(lambda v: is_whole(v, 1) and v <= most, f"a whole number of at least 1 and at most {most}", fix)


columns, parts, numbers = up_to(MOST_COLUMNS), up_to(MOST_PARTS), up_to(MOST_NUMBERS)
"""Attrs validators: a number of columns, of parts, a length of an exact value."""
lattice_bits = up_to(MOST_BITS, "use 18 to 20 bits")
"""Attrs validator: the bits of a lattice on which rows stay exact, 1..26."""


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
