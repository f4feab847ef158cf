"""Static checks of what the tables are, and of operations that need a table's own rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpframe.errors import PlanError
from dpframe.kernel.graphs import Planned, Typed
from dpframe.kernel.operations import Blocks, Gather, Mechanism, Partition
from dpframe.kernel.post_processing import Post
from dpframe.kernel.reductions.control import ByCategory, ForEach
from dpframe.planning.graph import Graph
from dpframe.proof.spaces import Adjacency, Kind, Rows
from dpframe.proof.theorems.base import check_scope
from dpframe.proof.typed import Input, Ref, indexed_rows, made_of


def check_sources(graph: Graph, relation: Adjacency) -> None:
    """One private table of rows as they are, with a declared number of rows where it is public.

    Raises
    ------
    PlanError
    """
    private = [item for item in graph.inputs if item.kind is Kind.PRIVATE]
    if not private:
        raise PlanError("the graph has no private table", fix="declare one with dp.rows(...)")
    if len(private) > 1:
        raise PlanError(
            f"{len(private)} private tables: {', '.join(i.name for i in private)}",
            fix="join them into one table, row by row",
        )
    for item in graph.inputs:
        _check_input(item, relation)


def _check_input(item: Input, relation: Adjacency) -> None:
    if item.kind is Kind.RELEASED:
        raise PlanError(f"input {item.name!r} can't be released already", fix="declare it public or private")
    if not isinstance(item.domain, Rows) or item.domain.bound != "any":
        raise PlanError(
            f"input {item.name!r} is {item.domain}; a table holds rows that nothing has bounded yet",
            fix="declare rows(d=...) and clip them in the program",
        )
    if item.n is not None and (isinstance(item.n, bool) or item.n != int(item.n) or item.n < 1):
        raise PlanError(
            f"input {item.name!r}: n must be a whole number >= 1, not {item.n!r}", fix="declare the number of rows"
        )
    if item.kind is Kind.PRIVATE and relation.n_is_public and item.n is None:
        raise PlanError(
            f"input {item.name!r}: under {relation.name} the number of rows is public and must be declared",
            fix="declare n (on the command line: --set n=...)",
        )
    each = relation.unit_rows
    if item.kind is Kind.PRIVATE and (item.n or 0) % each:
        raise PlanError(
            f"input {item.name!r}: n is units times rows of a unit, and {item.n} is no multiple of {each}",
            fix=f"declare {each} times the number of units",
        )


def check_own_rows(graph: Typed, relation: Adjacency) -> None:
    """Blocks are cut from a table itself, and so are secret pairs where the number of rows is private.

    Raises
    ------
    PlanError
    """
    rows = max((item.n or 0 for item in graph.inputs if item.kind is Kind.PRIVATE), default=0)
    for _, node in graph.walk():
        _check_rows(node, rows, relation.unit_rows)
    _check_tables(graph, relation)


def _check_tables(graph: Typed, relation: Adjacency) -> None:
    """The same of a graph whose private input is a table: the program's, or one category's."""
    tables = {Ref(item.name) for item in graph.inputs}
    drawn: set[str] = set()
    for node in graph.nodes:
        if _own(node) == "index" and not relation.n_is_public:
            raise PlanError(
                f"node {node.name!r}: {node.operation.name} goes by the row index, which {relation.name} does not keep",
                fix="use replace_one",
            )
        if _own(node) == "index" and indexed_rows(node.inputs[0], _producer(graph), relation) is None:
            raise PlanError(
                f"node {node.name!r}: {node.operation.name} takes rows of the table with their index, or under "
                f"replace_one a part of them, not {str(node.inputs[0])!r}",
                fix="apply it to the program's argument or a part of it, before rows are paired or drawn",
            )
        if _needs_table(node, relation) and _rows_of(node, graph) not in tables:
            raise PlanError(
                f"node {node.name!r}: {node.operation.name} takes the table's own rows, not {str(node.inputs[0])!r}",
                fix="apply it to the program's argument, before any other operation",
            )
        if _draws(node, drawn):
            drawn.add(node.name)
        if node.operation.theorem == "secret_matching" and node.name in drawn:
            raise PlanError(
                f"node {node.name!r}: {str(node.inputs[0])!r} has a private number of rows, and {node.operation.name} "
                "needs one that is fixed",
                fix="take them of the table's own rows, and filter what is gathered",
            )
        for body in node.bodies.values():
            if isinstance(node.operation, ByCategory):
                _check_category(node, graph, body, relation)
                _check_tables(body, relation)
            else:
                _refuse_in_body(body, relation)


def _check_rows(node: Planned, rows: int, each: int) -> None:
    """A declared number of rows must be enough for the blocks, and not too many for a secret order."""
    blocks = int(node.operation.parameters()["t"]) if isinstance(node.operation, Blocks) else 0
    if blocks > rows // each > 0:
        what, most = "rows" if each == 1 else "units", rows // each
        said = f"node {node.name!r}: can't cut {most} {what} into {blocks} blocks"
        raise PlanError(said, fix=f"use t={most} or less")
    bound = node.operation.most_rows if isinstance(node.operation, Gather) else None
    if bound is not None and rows > bound:
        raise PlanError(
            f"node {node.name!r}: {node.operation.name} orders at most {bound} rows, not {rows}",
            fix="use pairs or sampled_rows, whose order is public",
        )


def _draws(node: Planned, drawn: set[str]) -> bool:
    """Whether a node's rows are a part that a rule or a secret drew, or made of one."""
    if isinstance(node.operation, Partition) and node.operation.theorem != "index_partition":
        return True
    return bool(node.inputs) and node.inputs[0].node in drawn


def _own(node: Planned) -> str:
    return "" if isinstance(node.operation, Post) else node.operation.declaration().own_rows


def _producer(graph: Typed) -> Callable[[str], tuple[str, Ref | None] | None]:
    nodes = {node.name: node for node in graph.nodes}

    def made(name: str) -> tuple[str, Ref | None] | None:
        node = nodes.get(name)
        return None if node is None else (node.operation.name, node.inputs[0] if node.inputs else None)

    return made


def _rows_of(node: Planned, graph: Typed) -> Ref:
    """The rows that it takes, or what row maps made them of where it needs no more than their number."""
    return node.inputs[0] if _own(node) == "table" else made_of(node.inputs[0], _producer(graph))


def _needs_table(node: Planned, relation: Adjacency) -> bool:
    return _own(node) == "table" or (_own(node) == "private n" and not relation.n_is_public)


def _check_category(node: Planned, graph: Typed, body: Typed, relation: Adjacency) -> None:
    """A category's table has the number of rows of the whole one where that is public, and none that is known else."""
    if graph.path:
        raise PlanError(f"node {node.name!r}: by_category takes the program's table", fix="move it out of the body")
    whole = next((item.n for item in graph.inputs if Ref(item.name) == node.inputs[0]), None)
    if body.inputs[0].n != (whole if relation.n_is_public else None):
        raise PlanError(f"node {node.name!r}: its body's table has another number of rows", fix="use dp.by_category")


def _refuse_in_body(body: Typed, relation: Adjacency) -> None:
    for path, node in body.walk():
        if _own(node) == "index" or _needs_table(node, relation) or node.operation.theorem == "secret_matching":
            raise PlanError(
                f"node {'/'.join(path)!r}: {node.operation.name} takes the table's own rows",
                fix="move it out of the body and hand its value in",
            )


def check_asserted(graph: Typed, *, allowed: bool) -> None:
    """What a plugin asserts is planned only where the user allowed it, a listed loss in no loop that divides noise.

    Raises
    ------
    PlanError
    """
    loops: list[tuple[str, ...]] = []
    for path, node in graph.walk():
        if isinstance(node.operation, ForEach):
            loops.append(path)
        if not node.operation.cited().asserted:
            continue
        shown, told = "/".join(path), node.operation.parameters()
        name = next((told[key] for key in ("of", "mask", "semimetric") if key in told), node.operation.name)
        if not allowed:
            raise PlanError(
                f"node {shown!r}: what {name!r} promises is asserted by its plugin, and nobody has proved it here",
                fix="if you believe its proof, plan with allow_asserted=True (--allow-asserted); no estimator can",
            )
        loses = node.operation.cited().claimed and isinstance(node.operation, Mechanism)
        if loses and any(path[: len(loop)] == loop for loop in loops):
            raise PlanError(
                f"node {shown!r}: {name!r} is asserted for the noise of the plan, and a loop divides it later",
                fix="release it outside for_each",
            )


def check_scopes(graph: Typed, total: Mapping[str, Any]) -> None:
    """No node may rest on a theorem that is proved beside smaller totals only, as the checker asks too.

    Raises
    ------
    PlanError
    """
    for path, node in graph.walk():
        try:
            check_scope(node.operation.theorem, total)
        except PlanError as error:
            raise PlanError(f"node {'/'.join(path)!r}: {error.message}", fix=error.fix) from None
