"""Histograms: counts of rows in bins that are public, released, or found occupied."""

from __future__ import annotations

from collections.abc import Sequence

from dpframe.front.program import Handle
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.nodes import node, verb


@verb
def bin_counts(x: Handle, *, edges: Sequence[float], column: int | str = 0, name: str | None = None) -> Handle:
    """Counts of one column by public edges: (−∞, e₀), [e₀, e₁), …, [e_last, ∞).

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    edges : sequence of float
        Increasing, in the units of the table.
    column : int or str
        Counted from 0, or by its name where the table was declared with names.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private counts (edges + 1,); no row is left out.

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
    ...     return dp.release("result", dp.laplace(share=1.0), dp.bin_counts(x, edges=[18.0, 65.0], column=1))
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.pure_dp(epsilon=1.0))
    >>> plan.verdict.holds
    True
    """
    return node("bin_counts", name, x, edges=edges, column=column)


@verb
def value_counts(x: Handle, *, values: Sequence[float], column: int | str = 0, name: str | None = None) -> Handle:
    """Counts of one column by public categories, and of all other rows at the end.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    values : sequence of float
        Public codes, increasing.
    column : int or str
        Counted from 0, or by its name where the table was declared with names.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private counts (values + 1,).

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
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.value_counts(x, values=[1.0, 2.0, 3.0]))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("value_counts", name, x, values=values, column=column)


@verb
def distance_histogram(
    x: Handle, ball: HandleLike, *, edges: int = 96, ratio: float = 2.0**0.5, name: str | None = None
) -> Handle:
    """Counts of distances to a ball's centre, in bins that grow by a constant ratio up to its radius.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    ball : Handle
        A released or public ball.
    edges : int
        Number of edges.
    ratio : float
        Of neighbouring edges; above 1.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private counts (edges + 1,); the last bin is unbounded.

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
    ...     ball = dp.ball(centre=[0.0, 0.0], radius=10.0)
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.distance_histogram(x, ball, edges=16))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("distance_histogram", name, x, ball, edges=edges, ratio=ratio)


@verb
def dyadic_counts(x: Handle, *, name: str | None = None) -> Handle:
    """Counts of the binary exponents of all columns: how large numbers are, with no bound.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private array (d, exponents); exact zeros fall in no bin.

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
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.dyadic_counts(dp.pairs(x)))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("dyadic_counts", name, x)


@verb
def marginal_counts(x: Handle, edges: HandleLike, *, name: str | None = None) -> Handle:
    """Counts of every column by released edges.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    edges : Handle
        Released edges (columns, edges); they are sorted.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private array (d, edges + 1).

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
    ...     edges = dp.constant([[0.0, 1.0], [0.0, 5.0]])
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.marginal_counts(x, edges))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("marginal_counts", name, x, edges)


@verb
def product_counts(x: Handle, edges: HandleLike, *, name: str | None = None) -> Handle:
    """Counts of the product cells of released edges in every column, the last column running fastest.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    edges : Handle
        Released edges (columns, edges); they are sorted.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private counts ((edges + 1)^d,).

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
    ...     edges = dp.constant([[0.0, 1.0], [0.0, 5.0]])
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.product_counts(x, edges))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("product_counts", name, x, edges)
