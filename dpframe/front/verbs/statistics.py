"""Statistics of rows: exact, and bounded by the clip that came before."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import node, verb


@verb
def count(x: Handle, *, name: str | None = None) -> Handle:
    """Number of non-empty rows.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private count.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``live_count`` (docs/theory/notation.md#sums): The number of non-empty rows moves by at most max(r, a): each
    row counts 0 or 1.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("result", dp.laplace(share=1.0), dp.count(x))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2), adjacency=dp.REPLACE_ONE, budget=dp.pure_dp(epsilon=1.0))
    >>> plan.verdict.holds
    True
    """
    return node("count", name, x)


@verb
def sum(x: Handle, *, bits: int = 20, name: str | None = None) -> Handle:  # noqa: A001
    """Sum of clipped rows; released, it is about the ball's centre and in the units of the rows.

    Parameters
    ----------
    x : Handle
        Private rows that ``dp.clip`` put into a unit ball.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private vector (d,).

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``bounded_sum`` (docs/theory/notation.md#sums): A sum of contributions of norm at most 1 moves by at most r
    + a in ℓ₂ (triangle inequality).

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.sum(inside))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("sum", name, x, bits=bits)


@verb
def mean(x: Handle, *, bits: int = 20, name: str | None = None) -> Handle:
    """Sum and count of clipped rows; released, it becomes a mean in the units of the rows.

    Under replace-one the count is free. The mean is right for missing rows and both adjacencies.

    Parameters
    ----------
    x : Handle
        Private rows that ``dp.clip`` put into a unit ball.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private vector (d + 1,), whose last entry is the count.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``sum_and_count`` (docs/theory/notation.md#sums): Σ(y, 1) over ‖y‖ <= 1 moves by at most 2·min(r, a) + √2·|r
    − a| in ℓ₂: under replace-one the count is free.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.mean(inside))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("mean", name, x, bits=bits)


@verb
def box_sum(x: Handle, *, bits: int = 20, name: str | None = None) -> Handle:
    """Sum of rows of a box, for noise a coordinate.

    Parameters
    ----------
    x : Handle
        Private rows that ``dp.clip_box`` put into a unit box.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private vector (d,).

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``box_sum`` (docs/theory/notation.md#sums): A sum of rows of [−1, 1]^d moves by at most r + a a coordinate.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     inside = dp.clip_box(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.box_sum(inside))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("box_sum", name, x, bits=bits)


@verb
def gram(x: Handle, *, bits: int = 18, name: str | None = None) -> Handle:
    """Gram matrix of clipped rows; released, it is about the ball's centre and in the units of the rows.

    Parameters
    ----------
    x : Handle
        Private rows that ``dp.clip`` put into a unit ball.
    bits : int
        The lattice of the rows has steps of 2^−bits, that of the matrix their square.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private symmetric matrix (d, d).

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``bounded_gram`` (docs/theory/notation.md#sums): Σ xxᵀ over ‖x‖ <= 1 moves by at most √(r² + a²) in
    Frobenius norm: ⟨xxᵀ, yyᵀ⟩ = ⟨x, y⟩² >= 0.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.gram(inside))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("gram", name, x, bits=bits)


@verb
def square_sum(x: Handle, *, bits: int = 18, name: str | None = None) -> Handle:
    """Sum of squared norms of clipped rows; released, of distances to the ball's centre.

    Parameters
    ----------
    x : Handle
        Private rows that ``dp.clip`` put into a unit ball.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private number.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``bounded_squares`` (docs/theory/corrections.md#c10): Σ‖x‖² over ‖x‖ <= 1 is one number, each row gives
    between 0 and 1: it moves by at most max(r, a).

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     inside = dp.clip(x, dp.ball(centre=[0.0, 0.0], radius=10.0))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.square_sum(inside))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("square_sum", name, x, bits=bits)
