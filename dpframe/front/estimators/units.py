"""``unit=COLUMN, unit_rows=m``: all rows that hold one value in a column are protected together.

The relation is that of :func:`~dpframe.proof.spaces.unit_level`, and the kernel's sources make the slots
(``docs/theory/units.md``): nothing here reads an id. What is fitted are m slots a unit, in the public order of the ids.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dpframe.errors import DataError, SpecError
from dpframe.front.estimators.naming import column_of
from dpframe.front.specs.keys import BUILT_IN
from dpframe.proof.spaces import Adjacency, unit_level
from dpframe.proof.spaces import adjacency as find_adjacency
from dpframe.proof.spaces.checks import scalar
from dpframe.runtime.sources import ByUnit, open_source

KEYS = ("unit", "unit_rows")


def chosen(model: Any) -> dict[str, Any]:
    """The unit that an estimator is asked to protect, checked; nothing where it protects rows."""
    given: dict[str, Any] = {name: scalar(getattr(model, name)) for name in KEYS}
    if all(value is None for value in given.values()):
        return {}
    missing = next((name for name, value in given.items() if value is None), None)
    if missing is not None:
        raise SpecError(f"a unit is named by two parameters, and {missing!r} is missing", fix=f"give {missing}=...")
    if model.by is not None:
        raise SpecError(
            "rows of one unit may be of several categories, so fits of by=... do not compose in parallel",
            fix="leave by=... or unit=... out",
        )
    place = isinstance(given["unit"], int) and not isinstance(given["unit"], bool)
    return {name: BUILT_IN[name].check(str(v) if place and name == "unit" else v) for name, v in given.items()}


def relation(choices: Mapping[str, Any]) -> Adjacency:
    """Which tables are neighbours."""
    if "unit" not in choices:
        return find_adjacency(choices["adjacency"])
    return unit_level(choices["adjacency"], unit=choices["unit"], rows=choices["unit_rows"])


def beside(unit: Any, X: Any, table: Any) -> Any:
    """A table that was put together of X, with X's ids where rows belong to units."""
    return table if unit is None else ByUnit(column_of(X, str(unit)), table)


def data_of(unit: Any, X: Any, columns: Any, *taken: str) -> Any:
    """The columns of data of X: those asked for, or all but the unit's and those that are ``taken``.

    Raises
    ------
    DataError
        Where the unit's is one of data; when the table is opened, where no column is left.
    """
    if unit is None and (columns is not None or not taken):
        return columns
    unit = None if unit is None else str(unit)
    if unit in taken or (columns is not None and unit in open_source(X, columns=columns).columns):
        raise DataError(f"column {unit!r} says which unit a row belongs to, and is no column of data",
                        fix="leave it out of the columns of data")  # fmt: skip
    return columns if columns is not None else functools.partial(others, (unit, *taken))


def others(taken: Collection[str | None], names: Sequence[str], named: bool) -> list[str]:
    """The columns of a table that are none of these; there has to be one."""
    left = [name for name in names if name not in taken]
    if not left:
        used = ", ".join(map(repr, sorted(name for name in taken if name is not None)))
        raise DataError(
            f"X has no column of numbers to learn from besides {used}", fix="give it one, or more, beside these"
        )
    return left
