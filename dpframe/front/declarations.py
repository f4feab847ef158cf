"""What is declared of a table before it is read: its width and, where it is public, its number of rows."""

from __future__ import annotations

from typing import Any

import attrs

from dpframe.errors import PlanError
from dpframe.proof.spaces import Kind
from dpframe.proof.spaces.checks import scalar, shown


@attrs.frozen
class RowsDeclaration:
    """What is declared of a table before it is read."""

    d: int
    n: int | None
    kind: Kind


def _size(word: str, value: Any, *, optional: bool = False) -> Any:
    """A number of rows or columns, of any kind of number; booleans are none."""
    value = scalar(value)
    if value is None and optional:
        return None
    whole = isinstance(value, (int, float)) and not isinstance(value, bool) and 1 <= value < 2**53
    if not whole or value != int(value):
        raise PlanError(f"{word} must be a whole number >= 1, not {shown(value)}", fix=f"declare {word} as 1, 2, ...")
    return int(value)


def rows(*, d: int, n: int | None = None) -> RowsDeclaration:
    """Declare a private table: ``d`` columns, and under replace-one its public number of rows ``n``."""
    return RowsDeclaration(_size("d", d), _size("n", n, optional=True), Kind.PRIVATE)


def public_rows(*, d: int, n: int | None = None) -> RowsDeclaration:
    """Declare a public table."""
    return RowsDeclaration(_size("d", d), _size("n", n, optional=True), Kind.PUBLIC)


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
