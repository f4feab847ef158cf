"""Histograms whose occupied bins are private, and counts in released balls."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.nodes import node, verb


@verb
def cells(x: Handle, grids: Handle, *, levels: int, name: str | None = None) -> Handle:
    """Occupied cells of up to ``levels`` nested grids, with their counts.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    grids : Handle
        Released grids, a record ``grids``.
    levels : int
        Most grids, declared; released grids beyond it are ignored.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private sparse counts; only ``dp.stable_histogram`` takes them.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``histograms`` (docs/theory/notation.md#sums): M histograms of the same rows: one-hot vectors, so ℓ₁ m(r+a),
    ℓ₂ √(m(r²+a²)), m·max(r,a) one-sided bins.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Record
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     found = dp.cells(x, stub(Record("grids")), levels=2)
    ...     return dp.release("result", dp.stable_histogram(share=1.0, delta_fraction=0.5), found)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("cells", name, x, grids, levels=levels)


@verb
def column_cells(x: Handle, grids: Handle, *, levels: int, name: str | None = None) -> Handle:
    """Occupied bins of up to ``levels`` grids, each of one column, with their counts.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    grids : Handle
        Released (levels, 3): column, offset and size of each; a size that is not positive ends the list.
    levels : int
        Most grids, declared; released grids beyond it are ignored.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private sparse counts; only ``dp.stable_histogram`` takes them.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``histograms`` (docs/theory/notation.md#sums): M histograms of the same rows: one-hot vectors, so ℓ₁ m(r+a),
    ℓ₂ √(m(r²+a²)), m·max(r,a) one-sided bins.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     found = dp.column_cells(x, dp.constant([[0.0, 0.0, 0.5], [1.0, 0.0, 2.0]]), levels=2)
    ...     return dp.release("result", dp.stable_histogram(share=1.0, delta_fraction=0.5), found)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("column_cells", name, x, grids, levels=levels)


@verb
def box_cells(x: Handle, grids: Handle, *, levels: int, name: str | None = None) -> Handle:
    """Occupied product bins of up to ``levels`` grids with a size for each column, with their counts.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    grids : Handle
        Released (levels, 2d): offsets and sizes of each; a size that is not positive ends the list.
    levels : int
        Most grids, declared; released grids beyond it are ignored.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private sparse counts; only ``dp.stable_histogram`` takes them.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``histograms`` (docs/theory/notation.md#sums): M histograms of the same rows: one-hot vectors, so ℓ₁ m(r+a),
    ℓ₂ √(m(r²+a²)), m·max(r,a) one-sided bins.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     found = dp.box_cells(x, dp.constant([[0.0, 0.0, 0.5, 2.0]]), levels=1)
    ...     return dp.release("result", dp.stable_histogram(share=1.0, delta_fraction=0.5), found)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("box_cells", name, x, grids, levels=levels)


@verb
def ball_counts(x: Handle, balls: HandleLike, *, size: int, name: str | None = None) -> Handle:
    """Counts of rows in each of a released list of balls, which may overlap.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    balls : Handle
        A released list of balls, or a public one as [(centre, radius), ...].
    size : int
        Most balls; those that the list has not count 0.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private counts (size,), for ``dp.gaussian``, ``dp.laplace`` or a selection.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``ball_counts`` (docs/theory/notation.md#sums): Counts of rows in m released or public sets, which may
    overlap: each moves by at most max(r, a).

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     balls = [([0.0, 0.0], 1.0), ([0.0, 0.0], 2.0)]
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.ball_counts(x, balls, size=4))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("ball_counts", name, x, balls, size=size)
