"""Pairs of rows, differences that no location can hide, and samples of a fixed number of rows."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import node, verb


@verb
def pairs(x: Handle, *, max_pairs: int = 0, seed: int = 0, name: str | None = None) -> Handle:
    """Pairs of rows by their index, along a fixed public permutation.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    max_pairs : int
        Keep at most so many pairs; 0 keeps all.
    seed : int
        Public seed of the permutation of row indices.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows x − y of the pairs; refused under add/remove and after a filter.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``pairs_by_index`` (docs/theory/notation.md#fixed-split): Pairs cut from the original row index: each
    replaced row changes one pair.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     near = dp.pairs(x)
    ...     value = dp.distance_histogram(near, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), value)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("pairs", name, x, max_pairs=max_pairs, seed=seed)


@verb
def secret_pairs(x: Handle, *, max_pairs: int = 0, name: str | None = None) -> Handle:
    """Pairs of rows by a secret uniformly random matching, for add/remove.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    max_pairs : int
        Keep at most so many pairs; 0 keeps all.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows x − y of the pairs.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``secret_matching`` (docs/theory/notation.md#fixed-split): A secret uniformly random matching: one row
    added, removed or replaced is at most one pair replaced.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     near = dp.secret_pairs(x)
    ...     value = dp.distance_histogram(near, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), value)
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("secret_pairs", name, x, max_pairs=max_pairs)


@verb
def sampled_rows(x: Handle, *, rows: int, seed: int = 0, name: str | None = None) -> Handle:
    """So many rows by their index, along a fixed public permutation: for what needs no more, and should be fast.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    rows : int
        At most so many; all of a smaller table. They are held in memory.
    seed : int
        Public seed of the permutation of row indices.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows; refused under add/remove and after a filter.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``pairs_by_index`` (docs/theory/notation.md#fixed-split): Single rows cut from the original row index: each
    replaced row changes one of them at most. Nothing is amplified.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     some = dp.clip(dp.sampled_rows(x, rows=100), dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.sum(some))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("sampled_rows", name, x, rows=rows, seed=seed)
