"""A spec as written: read from TOML, checked for unknown words, changed by ``--set``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import attrs

from dpframe.errors import SpecError, nearest
from dpframe.front.specs.budgets import FORMS, set_budget
from dpframe.front.specs.keys import BUILT_IN, Key, split_setting
from dpframe.front.specs.recipes import COLUMN, Recipe, takes_more
from dpframe.proof.spaces import ADJACENCIES, Adjacency, Kind, adjacency, unit_level

CHOOSING = "practical_gmm"
_UNSET = ("n", "d", "columns", "unit", "unit_rows", "optimize")
"""Built-in keys that None unsets."""


@attrs.frozen
class Table:
    """One input: private or public, its width and, where it is public, its number of rows."""

    name: str
    kind: Kind
    d: Any = "$d"
    n: Any = "$n"


@attrs.frozen
class Document:
    """A spec as written, and the values its keys have so far. Immutable: :meth:`set` gives another one.

    Attributes
    ----------
    name, title, source : str
        What it is and where it was published.
    keys : mapping
        The spec's own keys.
    tables : tuple of Table
    adjacency : Adjacency or None
    budget : mapping
        ``epsilon`` and ``delta``, or ``rho``.
    nodes : tuple of mapping
        As written, in order.
    outputs : mapping
        Name to reference.
    values : mapping
        What own keys were set to.
    n, d : int or None
    columns : tuple of str or None
    unit : str or None
        The column that says which unit a row belongs to.
    unit_rows : int or None
        How many rows of a unit count.
    optimize : tuple of str or None
        Outputs whose predicted error the shares are to make least.
    frame : tuple of str
        Outputs that stay in the units of their clip's frame.
    errors : mapping
        Output to the reference instance for which its error may be predicted; see :mod:`dpframe.front.sizing`.
    settings : mapping
        In a spec as run: what the keys of its origin were. Read by people only.
    recipe : Recipe, optional
        The composite that it is of: then it has no nodes, and its outputs are what the composite returns.
    """

    name: str
    title: str
    source: str
    keys: Mapping[str, Key]
    tables: tuple[Table, ...]
    adjacency: Adjacency | None
    budget: Mapping[str, float]
    nodes: tuple[Mapping[str, Any], ...]
    outputs: Mapping[str, str]
    values: Mapping[str, Any]
    n: int | None = None
    d: int | None = None
    columns: tuple[str, ...] | None = None
    unit: str | None = None
    unit_rows: int | None = None
    optimize: tuple[str, ...] | None = None
    frame: tuple[str, ...] = ()
    errors: Mapping[str, str] = attrs.Factory(dict)
    settings: Mapping[str, Any] = attrs.Factory(dict)
    recipe: Recipe | None = None

    def set(self, changes: Mapping[str, Any] | Sequence[str]) -> Self:
        """A spec with other values of its keys.

        Parameters
        ----------
        changes : mapping, or sequence of "K=V"
            Of a repeated key the last counts. None unsets ``n``, ``d``, ``columns``, ``unit``, ``unit_rows`` and an
            optional key; for every other key, and for the budget and the adjacency above all, it is refused.

        Raises
        ------
        SpecError
            For an unknown key (naming the nearest known one), or a value out of range.
        """
        if isinstance(changes, Mapping):
            read = {k: self._checked(self._key(k), v) for k, v in changes.items()}
        else:
            last = dict(split_setting(text) for text in changes)
            read = {k: self._key(k).read(v) for k, v in last.items()}
        own = {k: v for k, v in read.items() if k not in BUILT_IN}
        budget = set_budget(self.budget, {k: v for k, v in read.items() if k in FORMS})
        columns = read.get("columns", self.columns)
        named, optimize = read.get("adjacency"), read.get("optimize", self.optimize)
        made = attrs.evolve(
            self,
            adjacency=self.adjacency if named is None else adjacency(named),
            budget=budget,
            values={**self.values, **own},
            n=read.get("n", self.n),
            d=read.get("d", self.d),
            columns=None if columns is None else tuple(columns),
            unit=read.get("unit", self.unit),
            unit_rows=read.get("unit_rows", self.unit_rows),
            optimize=None if optimize is None else tuple(optimize),
        )
        return made._with_column(read)

    def _with_column(self, changed: Mapping[str, Any]) -> Self:
        """Where a recipe's ``column`` was named and no columns are chosen, that one is.

        So other columns' missing values empty no row, and the plan needs no table to know where the column stands.
        """
        column = changed.get(COLUMN)
        if not isinstance(column, str) or "columns" in changed or self.recipe is None or COLUMN not in self.keys:
            return self
        return attrs.evolve(self, columns=(column,)) if self.columns is None else self

    def _checked(self, key: Key, value: Any) -> Any:
        if value is None and (key.optional or key.name in _UNSET):
            return None
        named = isinstance(value, Adjacency) and ADJACENCIES.get(value.name) == value
        return key.check(value.name if named else value)

    def _key(self, name: str) -> Key:
        known = {**BUILT_IN, **self.keys}
        if name not in known and self.recipe is not None and takes_more(self.recipe.function):
            return Key(name, "any")
        if name not in known:
            fix = f"give k; specs that choose it privately: {CHOOSING}" if name == "k_max" else nearest(name, known)
            raise SpecError(f"unknown key {name!r} in spec {self.name!r}", fix=fix)
        return known[name]

    @property
    def relation(self) -> Adjacency:
        """The adjacency, which has no default; with ``unit`` and ``unit_rows`` that of units."""
        if self.adjacency is None:
            raise SpecError(f"spec {self.name!r} names no adjacency", fix="--set adjacency=replace_one or add_remove")
        if self.unit is None and self.unit_rows is None:
            return self.adjacency
        if self.unit is None or self.unit_rows is None:
            missing = "unit" if self.unit is None else "unit_rows"
            raise SpecError(f"a unit is named by two keys, and {missing!r} is missing", fix=f"--set {missing}=...")
        if self.unit in (self.columns or ()):
            raise SpecError(
                f"column {self.unit!r} says which unit a row belongs to, and is no column of data",
                fix="leave it out of columns",
            )
        return unit_level(self.adjacency.name, unit=self.unit, rows=self.unit_rows)

    @property
    def needs_n(self) -> bool:
        """Whether the number of rows is public and not declared yet."""
        return self.relation.n_is_public and self.n is None and any(t.n == "$n" for t in self._private)

    @property
    def needs_d(self) -> bool:
        """Whether the width is open."""
        return self.d is None and self.columns is None and any(t.d == "$d" for t in self.tables)

    @property
    def _private(self) -> list[Table]:
        return [t for t in self.tables if t.kind is Kind.PRIVATE]

    def table(self, kind: Kind) -> str | None:
        """Name of the only table of that kind, None where there is none."""
        return next((t.name for t in self.tables if t.kind is kind), None)

    def value(self, name: str) -> Any:
        """What ``$name`` stands for; None for an optional key that is not set."""
        if name in FORMS:
            return self._given(name, self.budget.get(name))
        if name == "adjacency":
            return self.relation.name
        if name == "n":
            return self._given(name, self.n if self.relation.n_is_public else None)
        if name == "columns":
            return self._given(name, None if self.columns is None else list(self.columns))
        if name == "d":
            return self._given(name, self.width)
        if name in ("unit", "unit_rows", "optimize"):
            return self._given(name, getattr(self, name))
        key = self._key(name)
        found = self.values.get(name)
        if found is not None:
            return found
        if self.lacks(key):
            raise SpecError(f"spec {self.name!r} needs {name!r}: {key.help or key.wanted}", fix=f"--set {name}=...")
        return key.default

    def lacks(self, key: Key) -> bool:
        """Whether a key must still be set: it has no default, and none stands in its place."""
        if key.optional or key.default is not None or self.values.get(key.name) is not None:
            return False
        return self.values.get(key.unless) is None

    def _given(self, name: str, value: Any) -> Any:
        if value is None:
            raise SpecError(f"spec {self.name!r} needs {name!r}", fix=f"--set {name}=...")
        return value

    @property
    def width(self) -> int | None:
        """Number of columns: declared, or that of the named columns."""
        if self.columns is None:
            return self.d
        if self.d is not None and self.d != len(self.columns):
            told = any(table.d == self.d for table in self.tables)  # a number there is the spec's, no user's
            fix = f"name {self.d}: columns=..." if told else "leave d out"
            raise SpecError(f"d = {self.d}, and {len(self.columns)} columns are named", fix=fix)
        return len(self.columns)

    def resolved(self) -> dict[str, Any]:
        """The values of the spec's own keys, defaults included."""
        found = {name: self.value(name) for name in self.keys}
        return {name: v for name, v in found.items() if v is not None}
