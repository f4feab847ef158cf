"""A spec meets its tables: the sizes it leaves open, and which table is which."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpframe.errors import DataError, SpecError
from dpframe.front.columns import SEVERAL, SINGLE
from dpframe.front.specs.building import check_complete
from dpframe.front.specs.recipes import is_table, no_table, said_of_input
from dpframe.front.specs.spec import Spec
from dpframe.proof.spaces import Kind

if TYPE_CHECKING:
    from dpframe.planning.plan import Plan


def prepare(spec: Spec, data: Any, *, allow_asserted: bool = False) -> tuple[Spec, Plan]:
    """Plan a spec for a table: its width where none is declared, its n where n is public and not declared.

    Raises
    ------
    DpframeError
        Nothing was spent.
    """
    from dpframe.runtime.sources import open_slots

    check_complete(spec, sizes=False)
    names = spec.columns is None and _says_names(spec.nodes)
    if spec.needs_d or spec.needs_n or names:
        source = open_slots(data, spec.relation, columns=spec.columns)
        if names and source.named:
            spec = spec.set({"columns": list(source.columns)})
        if spec.needs_d:
            spec = spec.set({"d": source.d})
        if spec.needs_n:
            spec = spec.set({"n": _rows(source)})
    return spec, spec.plan(allow_asserted=allow_asserted)


def _says_names(nodes: Any) -> bool:
    """Whether some node, in a body too, names a column of the table."""
    if isinstance(nodes, (list, tuple)):
        return any(map(_says_names, nodes))
    if not isinstance(nodes, Mapping):
        return False
    said = [nodes.get(SINGLE), *(several if isinstance(several := nodes.get(SEVERAL), list) else [several])]
    return any(isinstance(v, str) and not v.startswith("$") for v in said) or any(map(_says_names, nodes.values()))


def _rows(source: Any) -> int:
    rows = int(source.count_rows())
    if rows < 1:
        raise DataError("the table has no rows", fix="give a table with at least one row")
    return rows


def tables_of(spec: Spec, data: Any, public: Any) -> dict[str, Any]:
    """The given tables by the names the spec has for them."""
    private, other = spec.table(Kind.PRIVATE), spec.table(Kind.PUBLIC)
    if other is None and public is not None:
        raise SpecError(f"spec {spec.name!r} takes no public table", fix="leave --public out")
    if other is not None and public is None:
        raise _not_given(spec, other)
    tables = {str(private): data}
    return tables if other is None else {**tables, other: public}


def _not_given(spec: Spec, other: str) -> SpecError:
    """The refusal of a run without the second table; a composite's second input may be none."""
    if spec.recipe is None:
        return SpecError(f"spec {spec.name!r} needs the public table {other!r}", fix="--public FILE")
    function = spec.recipe.function
    if not is_table(function, other):
        return no_table(spec.name, function, [table.name for table in spec.tables])
    said = said_of_input(function, other)
    return SpecError(
        f"composite {spec.name!r} needs the public table {other!r}{': ' * bool(said)}{said}", fix="--public FILE"
    )


def separated(data: str, public: str | None, *, delimiter: str | None) -> tuple[Any, Any]:
    """The paths of a run, with the sign that separates the cells of those that are CSV.

    Raises
    ------
    DataError
        For an unknown sign, or when none is CSV; for a path that no file can have.
    """
    from dpframe.front.delimiting import table
    from dpframe.runtime.sources.opening import has_cells

    for option, path in (("--data", data), ("--public", public)):
        _check_path(option, path)
    if delimiter is None:
        return data, public
    given = [
        path if path is None or not has_cells(path) else table(path, delimiter=delimiter) for path in (data, public)
    ]
    if given == [data, public]:
        raise DataError(f"--delimiter {delimiter} is for .csv and .tsv tables", fix="leave it out")
    return given[0], given[1]


def _check_path(option: str, path: str | None) -> None:
    """Refuse an empty path, which would mean the current folder, and one that is too long for any file."""
    if path is None:
        return
    if not path.strip():
        raise DataError(f"{option} is empty", fix=f"give the path of a table: {option} FILE")
    try:
        os.stat(path)
    except ValueError:  # no text that a path can be: refused where it is opened
        return
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            short = f"{path[:40]}..."
            raise DataError(f"{option}: {short!r} is too long for a path", fix="check the path") from None
