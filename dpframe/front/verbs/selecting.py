"""Some columns of rows, by name or position."""

from __future__ import annotations

from collections.abc import Sequence

from dpframe.front.columns import positions
from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import node, verb


@verb
def select(x: Handle, *, columns: int | str | Sequence[int | str], name: str | None = None) -> Handle:
    """Some columns of each row, in this order.

    A row with a missing value in *any* column of the table stays empty. To let only the chosen columns count, declare
    them: ``dp.rows(columns=[...])``.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    columns : int, str, or a sequence of them
        Positions from 0, or names where the table was declared with names.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows with these columns and their names.

    Raises
    ------
    PlanError
        For a column that the rows don't have, with the nearest; where a shape doesn't fit.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     ages = dp.select(x, columns="age")
    ...     return dp.release("result", dp.laplace(share=1.0), dp.bin_counts(ages, edges=[18.0, 65.0]))
    >>> plan = dp.plan(example, x=dp.rows(columns=["income", "age"], n=1000),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(epsilon=1.0))
    >>> plan.verdict.holds
    True
    """
    known: object = x
    at = positions(columns, known.columns, repr(str(known.ref))) if isinstance(known, Handle) else columns
    return node("select", name, x, columns=at)
