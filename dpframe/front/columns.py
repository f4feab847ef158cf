"""Columns by their names: where a program says a name, the graph holds a position.

Names come from a declaration, ``dp.rows(columns=[...])`` or the ``columns`` of a spec: a program is planned before any
table is read. They stay with rows that keep their columns: parts, filters, clips, rescaled rows.

Examples
--------
>>> position("income", ("age", "income"), "'x'"), position(0, None, "'x'")
(1, 0)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpframe.errors import PlanError, nearest
from dpframe.kernel.operations import Operation
from dpframe.proof.spaces.checks import scalar

Names = tuple[str, ...]
KEEPING = frozenset({"clip_ball", "clip_box", "rescale", "within"})
"""Transforms whose rows have the columns of the rows they take."""
SINGLE, SEVERAL = "column", "columns"
"""Parameters that are positions of columns."""


def position(column: Any, names: Names | None, rows: str) -> Any:
    """The position of a named column; what is no name is left as it is, for the operation to check.

    Raises
    ------
    PlanError
        For a name where none are known, or an unknown one, with the nearest.
    """
    column = scalar(column)
    if not isinstance(column, str):
        return column
    if names is None:
        raise PlanError(
            f"column {column!r} of {rows}: its columns have no names here",
            fix="declare the table with dp.rows(columns=[...]), a spec with columns = [...], or give a position from 0",
        )
    if column not in names:
        hint = nearest(column, names, cutoff=0.0)
        raise PlanError(f"{rows} has no column {column!r}", fix=f"{hint} It has {', '.join(names)}")
    return names.index(column)


def positions(columns: Any, names: Names | None, rows: str) -> Any:
    """The positions of one column or several."""
    several = isinstance(columns, (list, tuple))
    return [position(c, names, rows) for c in (columns if several else [columns])]


def by_position(parameters: Mapping[str, Any], names: Names | None, rows: str) -> dict[str, Any]:
    """Parameters of an operation or composite with names of columns replaced."""
    found = dict(parameters)
    if SINGLE in found:
        found[SINGLE] = position(found[SINGLE], names, rows)
    said = found.get(SEVERAL)
    if isinstance(said, str) or (isinstance(said, (list, tuple)) and any(isinstance(c, str) for c in said)):
        found[SEVERAL] = positions(said, names, rows)
    return found


def kept(operation: Operation, names: Names | None) -> Names | None:
    """Column names of an operation's rows, given those of its input; None where its columns are others."""
    if names is None:
        return None
    if operation.name == "select":
        return tuple(names[i] for i in operation.parameters()[SEVERAL])
    return names if operation.kind == "partition" or operation.name in KEEPING else None
