"""What is declared of a table before it is read: its width and, where it is public, its number of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from dpframe.errors import PlanError
from dpframe.proof.spaces import Kind
from dpframe.proof.spaces.checks import scalar, shown


@attrs.frozen
class RowsDeclaration:
    """The declared size and columns of a table, before it is read."""

    d: int
    n: int | None
    kind: Kind
    columns: tuple[str, ...] | None = None


def _size(word: str, value: Any, *, optional: bool = False) -> Any:
    """A number of rows or columns, of any kind of number; booleans are none."""
    value = scalar(value)
    if value is None and optional:
        return None
    whole = isinstance(value, (int, float)) and not isinstance(value, bool) and 1 <= value < 2**53
    if not whole or value != int(value):
        raise PlanError(f"{word} must be a whole number >= 1, not {shown(value)}", fix=f"declare {word} as 1, 2, ...")
    return int(value)


def rows(*, d: int | None = None, n: int | None = None, columns: Sequence[str] | None = None) -> RowsDeclaration:
    """Declare a private table: ``d`` columns, and under replace-one its public number of rows ``n``.

    With ``columns``, the names of the columns that are used, in this order, a program may say ``column="age"`` and
    ``dp.select(x, columns=["age"])``. They are taken by name from what the plan is run on; an array without names
    must have as many. No table is read.

    Examples
    --------
    >>> rows(columns=["age", "income"], n=1000).d
    2
    """
    return _declared(d, n, columns, Kind.PRIVATE)


def public_rows(*, d: int | None = None, n: int | None = None, columns: Sequence[str] | None = None) -> RowsDeclaration:
    """Declare a public table; ``columns`` as in :func:`rows`."""
    return _declared(d, n, columns, Kind.PUBLIC)


def _declared(d: Any, n: Any, columns: Any, kind: Kind) -> RowsDeclaration:
    names = None if columns is None else _names(columns)
    if names is not None and d is not None and _size("d", d) != len(names):
        raise PlanError(f"d = {d}, and {len(names)} columns are named", fix="leave d out")
    width = len(names) if names is not None else _size("d", d)
    return RowsDeclaration(width, _size("n", n, optional=True), kind, names)


def _names(columns: Any) -> tuple[str, ...]:
    names = tuple(columns) if isinstance(columns, (list, tuple)) else ()
    if not names or not all(isinstance(c, str) and c for c in names) or len(set(names)) < len(names):
        raise PlanError("columns must be different names, one or more", fix='for example columns=["age", "income"]')
    return names


def check_declaration(name: str, table: Any) -> None:
    """Refuse what is no declaration, and say how the table is declared.

    Raises
    ------
    PlanError
    """
    if isinstance(table, RowsDeclaration):
        return
    sizes = [scalar(v) for v in table] if isinstance(table, (tuple, list)) and len(table) == 2 else []
    pair = len(sizes) == 2 and all(isinstance(v, int) and not isinstance(v, bool) for v in sizes)
    n, d = sizes if pair else ("...", "...")
    raise PlanError(
        f"table {name!r} is declared by a {type(table).__name__}; a plan needs its size, and reads no data",
        fix=f"{name}=dp.rows(n={n}, d={d})",
    )
