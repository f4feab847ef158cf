"""Adjacencies as edits: how two neighbouring tables may differ."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.errors import DomainError
from dpframe.proof.spaces.checks import scalar, shown, whole


def _flag(instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
    if not isinstance(value, bool):
        raise DomainError(f"Edits.{attribute.name} must be True or False, not {value!r}", fix="leave it out")


@attrs.frozen(order=True, repr=False)
class Edits:
    """Two data sets differ by at most ``removed`` rows taken out and ``added`` rows put in.

    Replace-one is ``Edits(1, 1)``. ``Edits(m, m)`` is user-level privacy for users with up to m rows.

    Parameters
    ----------
    removed, added : int
    indexed : bool
        Where ``removed == added``: whether the rows of the two data sets share one public index, so that a
        replaced row keeps its place. True for a table whose number of rows is public, false for rows
        made by matching: what cuts by index must not follow those.
    """

    removed: int = attrs.field(converter=scalar, validator=whole)
    added: int = attrs.field(converter=scalar, validator=whole)
    indexed: bool = attrs.field(default=True, converter=scalar, validator=_flag)

    def __repr__(self) -> str:
        return f"Edits(removed={self.removed}, added={self.added}{'' if self.indexed else ', indexed=False'})"

    @property
    def keeps_index(self) -> bool:
        """Whether a replaced row keeps its place among a public number of rows."""
        return self.indexed and self.removed == self.added

    @property
    def bare(self) -> Edits:
        """The same edits without the claim of a common index."""
        return Edits(self.removed, self.added)

    @property
    def total(self) -> int:
        """Number of rows touched."""
        return self.removed + self.added

    def to_json(self) -> dict[str, Any]:
        """JSON form."""
        mark = {} if self.indexed else {"indexed": False}
        return {"type": "edits", "removed": self.removed, "added": self.added, **mark}


REPLACE_ONE = Edits(1, 1)
REMOVE = Edits(1, 0)
ADD = Edits(0, 1)
UNCHANGED = Edits(0, 0)


@attrs.frozen
class Adjacency:
    """A named relation: neighbours differ by *one of* the listed edits."""

    name: str
    edits: tuple[Edits, ...]

    @property
    def n_is_public(self) -> bool:
        """Whether every neighbour has the same number of rows."""
        return all(e.keeps_index for e in self.edits)


ADJACENCIES = {
    "replace_one": Adjacency("replace_one", (REPLACE_ONE,)),
    "add_remove": Adjacency("add_remove", (REMOVE, ADD)),
}


def adjacency(name: Any) -> Adjacency:
    """Look an adjacency up by name, or build the user-level one from ``Edits(m, m)``.

    Raises
    ------
    DomainError
        When the name is unknown; there is no default.
    """
    if isinstance(name, Adjacency):
        if not name.edits or any(e.total == 0 for e in name.edits):
            raise DomainError(f"the adjacency {name.name!r} must edit at least one row", fix="use Edits(1, 1)")
        return name
    if isinstance(name, Edits):
        if name == REPLACE_ONE:
            return ADJACENCIES["replace_one"]
        if name.total == 0:
            raise DomainError("an adjacency must edit at least one row", fix="use Edits(1, 1)")
        return Adjacency(f"edits({name.removed},{name.added})", (name,))
    if isinstance(name, str) and name in ADJACENCIES:
        return ADJACENCIES[name]
    raise DomainError(f"unknown adjacency {shown(name)}", fix=f"use one of {', '.join(sorted(ADJACENCIES))}")


def adjacency_from_json(value: Any) -> Adjacency:
    """Read an adjacency back: a known name, or an object with explicit edits."""
    if isinstance(value, str):
        return adjacency(value)
    if isinstance(value, dict) and value.get("type") == "edits":
        return adjacency(Edits(value.get("removed", -1), value.get("added", -1)))
    raise DomainError(f"not an adjacency: {type(value).__name__}")
