"""Adjacencies as edits: how two neighbouring tables may differ."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.errors import DomainError
from dpframe.proof.spaces.checks import edited, positive_whole, scalar, shown, validator

_flag = validator(lambda v: isinstance(v, bool), "True or False", "leave it out")


@attrs.frozen(order=True, repr=False)
class Edits:
    """Two data sets differ by at most ``removed`` rows taken out and ``added`` rows put in.

    Replace-one is ``Edits(1, 1)``. ``Edits(m, m)`` is m rows anywhere, ``Edits(m, m, group=m)`` all slots of a unit.

    Parameters
    ----------
    removed, added : int
    indexed : bool
        Where ``removed == added``: whether the rows of the two data sets share one public index, so that a
        replaced row keeps its place. True for a table whose number of rows is public, false for rows
        made by matching: what cuts by index must not follow those.
    group : int
        Rows stand in the table in groups of so many, and the edited ones are whole groups: the slots of one unit, or of
        several. What cuts by index then cuts between groups (``docs/theory/units.md``).
    """

    removed: int = attrs.field(converter=scalar, validator=edited)
    added: int = attrs.field(converter=scalar, validator=edited)
    indexed: bool = attrs.field(default=True, converter=scalar, validator=_flag)
    group: int = attrs.field(default=1, converter=scalar, validator=positive_whole)

    def __attrs_post_init__(self) -> None:
        if self.removed % self.group or self.added % self.group:
            raise DomainError(
                f"edits of whole groups of {self.group} rows can't be {self.removed} and {self.added} rows",
                fix="give multiples of the group",
            )

    def __repr__(self) -> str:
        marks = ("" if self.indexed else ", indexed=False") + ("" if self.group == 1 else f", group={self.group}")
        return f"Edits(removed={self.removed}, added={self.added}{marks})"

    @property
    def keeps_index(self) -> bool:
        """Whether a replaced row keeps its place among a public number of rows."""
        return self.indexed and self.removed == self.added

    @property
    def one_group(self) -> bool:
        """Whether one group of rows is replaced in its place: one index among the groups, as in replace-one."""
        return self.keeps_index and self.removed == self.group

    @property
    def groups(self) -> int:
        """Groups that are taken out, or put in where those are more."""
        return max(self.removed, self.added) // self.group

    @property
    def bare(self) -> Edits:
        """The same edits without the claim of a common index, and as single rows."""
        return Edits(self.removed, self.added)

    @property
    def total(self) -> int:
        """Number of rows touched."""
        return self.removed + self.added

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        mark = {} if self.indexed else {"indexed": False}
        group = {} if self.group == 1 else {"group": self.group}
        return {"type": "edits", "removed": self.removed, "added": self.added, **mark, **group}


REPLACE_ONE = Edits(1, 1)
REMOVE = Edits(1, 0)
ADD = Edits(0, 1)
UNCHANGED = Edits(0, 0)


@attrs.frozen
class Adjacency:
    """A named relation: neighbours differ by *one of* the listed edits.

    With a ``unit``, the name of a column, it is a relation of units: what is replaced, or comes or goes, is all rows
    that hold one value there. The edits are those of the ``unit_rows`` slots that a unit has (:func:`unit_level`).
    """

    name: str
    edits: tuple[Edits, ...]
    unit: str | None = None
    unit_rows: int = 1

    @property
    def n_is_public(self) -> bool:
        """Whether every neighbour has the same number of rows."""
        return all(e.keeps_index for e in self.edits)

    @property
    def words(self) -> str:
        """The relation for a reader, with the unit where there is one."""
        if self.unit is None:
            return self.name
        return f"{self.name} of one unit (all rows of one {self.unit!r}, of which {self.unit_rows} count)"

    @property
    def told(self) -> dict[str, str | int]:
        """What a total says besides the name: the unit that is protected, where it is not the row."""
        return {} if self.unit is None else {"unit": self.unit, "unit_rows": self.unit_rows}

    def covers(self, other: Adjacency) -> bool:
        """Whether it is the same relation of tables; how many rows of a unit count is no part of that."""
        if self.unit is None or other.unit is None:
            return self == other
        return (self.name, self.unit) == (other.name, other.unit)

    def to_json(self) -> Any:
        """JSON form: a known name, the unit, or explicit edits."""
        if self.unit is not None:
            return {"type": "unit", "adjacency": self.name, **self.told}
        return self.name if self.name in ADJACENCIES else self.edits[0].to_json()


ADJACENCIES = {
    "replace_one": Adjacency("replace_one", (REPLACE_ONE,)),
    "add_remove": Adjacency("add_remove", (REMOVE, ADD)),
}


MOST_UNIT_ROWS = 2**16
"""The most slots of a unit."""


def unit_level(name: Any, *, unit: Any, rows: Any) -> Adjacency:
    """The relation of tables that differ in one unit: in all rows that hold one value in the column `unit`.

    Parameters
    ----------
    name : {"replace_one", "add_remove"}
        ``replace_one``: the set of units is public, and one unit's rows are replaced by any others. ``add_remove``: one
        unit comes or goes with all its rows.
    unit : str
        The column.
    rows : int
        How many rows of each unit count, in slots of their own (``docs/theory/units.md``).

    Examples
    --------
    >>> unit_level("replace_one", unit="user", rows=3).edits
    (Edits(removed=3, added=3, group=3),)
    """
    if not isinstance(name, str) or name not in ADJACENCIES:
        raise DomainError(f"unknown adjacency {shown(name)}", fix=f"use one of {', '.join(sorted(ADJACENCIES))}")
    if not isinstance(unit, str) or not unit:
        raise DomainError(f"a unit is named by a column, not {shown(unit)}", fix='for example unit="user"')
    if isinstance(rows, bool) or not isinstance(rows, int) or not 1 <= rows <= MOST_UNIT_ROWS:
        raise DomainError(
            f"unit_rows must be a whole number from 1 to {MOST_UNIT_ROWS}, not {shown(rows)}",
            fix="say how many rows of each unit count",
        )
    edits = (Edits(e.removed * rows, e.added * rows, group=rows) for e in ADJACENCIES[name].edits)
    return Adjacency(name, tuple(edits), unit, rows)


def adjacency(name: Any) -> Adjacency:
    """Look an adjacency up by name, or build the user-level one from ``Edits(m, m)``.

    Raises
    ------
    DomainError
        When the name is unknown; there is no default. And for edits that say more than how many rows are taken out and
        put in: a relation of tables has the index that follows from these, and groups of rows are a unit's.
    """
    if isinstance(name, Edits):
        if name == REPLACE_ONE:
            return ADJACENCIES["replace_one"]
        if name != name.bare:
            raise DomainError(
                f"an adjacency says how many rows are taken out and put in, and no more: not {name}",
                fix=f"use {name.bare}, or unit_level(...) for all rows of one unit",
            )
        name = Adjacency(f"edits({name.removed},{name.added})", (name,))
    if isinstance(name, Adjacency):
        if not name.edits or any(e.total == 0 for e in name.edits):
            raise DomainError(f"the adjacency {name.name!r} must edit at least one row", fix="use Edits(1, 1)")
        return name
    if isinstance(name, str) and name in ADJACENCIES:
        return ADJACENCIES[name]
    raise DomainError(f"unknown adjacency {shown(name)}", fix=f"use one of {', '.join(sorted(ADJACENCIES))}")


def adjacency_from_json(value: Any) -> Adjacency:
    """Read an adjacency back: a known name, a unit, or an object with explicit edits."""
    if isinstance(value, str):
        return adjacency(value)
    if isinstance(value, dict) and value.get("type") == "unit":
        if set(value) != {"type", "adjacency", "unit", "unit_rows"}:
            raise DomainError("a unit takes adjacency, unit and unit_rows")
        return unit_level(value["adjacency"], unit=value["unit"], rows=value["unit_rows"])
    if isinstance(value, dict) and value.get("type") == "edits":
        # Whatever else stood here would be part of what a certificate states, and of nothing that is checked.
        if set(value) != {"type", "removed", "added"}:
            raise DomainError("an adjacency of edits takes removed and added, and nothing else")
        return adjacency(Edits(value["removed"], value["added"]))
    raise DomainError(f"not an adjacency: {type(value).__name__}")
