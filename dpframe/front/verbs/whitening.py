"""Rows as each component of a released mixture sees them, and how likely they are under it."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import node, verb


@verb
def whiten(x: Handle, whitening: Handle, *, bits: int = 18, name: str | None = None) -> Handle:
    """Rows as each component of a released whitening sees them, with soft weights that sum to at most 1.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    whitening : Handle
        A released whitening: a map, a clip radius and a log weight a component.
    bits : int
        The lattice has steps of 2^−bits. 1 to 26.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private weighted rows, which ``dp.weighted_grams`` and its kin take.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Whitening
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     seen = dp.whiten(x, stub(Whitening(3, 2)))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.weighted_grams(seen))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("whiten", name, x, whitening, bits=bits)


@verb
def log_densities(x: Handle, whitening: Handle, *others: Handle, name: str | None = None) -> Handle:
    """How well each of several released mixtures explains a row: log densities, less their mean.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    whitening : Handle
        A released whitening; its maps and log weights count.
    *others : Handle
        More of them.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private rows, a column a whitening; unbounded in the plan's eyes, so clip them before a sum.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``row_map`` (docs/theory/notation.md#row-maps): A map that treats every row alike keeps the edits: g(X) and
    g(X') differ in the images of the edited rows.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Whitening
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     scores = dp.log_densities(x, stub(Whitening(3, 2)), stub(Whitening(3, 2)))
    ...     inside = dp.clip(scores, dp.ball(centre=[0.0, 0.0], radius=3.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.sum(inside))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("log_densities", name, x, whitening, *others)
