"""Statistics of rows with soft weights: one contribution over all components has the norm of one row."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import node, verb


@verb
def weighted_counts(x: Handle, *, bits: int = 18, name: str | None = None) -> Handle:
    """Sum of the weights of each component.

    Parameters
    ----------
    x : Handle
        Private weighted rows of ``dp.whiten``.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private counts (k,).

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``weighted_counts`` (docs/theory/corrections.md#weighted): Σγ over rows with γ >= 0 and Σ_j γ_j <= 1: ‖γ‖₂
    <= ‖γ‖₁ <= 1 and inner products are >= 0.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Whitening
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     seen = dp.whiten(x, stub(Whitening(3, 2)))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.weighted_counts(seen))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("weighted_counts", name, x, bits=bits)


@verb
def weighted_sums(x: Handle, *, bits: int = 18, name: str | None = None) -> Handle:
    """Weighted sum of the rows as each component sees them.

    Parameters
    ----------
    x : Handle
        Private weighted rows of ``dp.whiten``.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private array (k, d + 1), the anchor's coordinate first.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``weighted_sums`` (docs/theory/corrections.md#weighted): (Σγ_j z_j)_j has a joint contribution of norm
    √(Σγ_j²‖z_j‖²) <= Σγ_j <= 1, enforced in integers.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Whitening
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     seen = dp.whiten(x, stub(Whitening(3, 2)))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.weighted_sums(seen))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("weighted_sums", name, x, bits=bits)


@verb
def weighted_grams(x: Handle, *, bits: int = 18, name: str | None = None) -> Handle:
    """Weighted Gram matrix of the rows as each component sees them: count, sum and squares in one.

    Parameters
    ----------
    x : Handle
        Private weighted rows of ``dp.whiten``.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        k private symmetric matrices (d + 1, d + 1).

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``weighted_grams`` (docs/theory/corrections.md#weighted): (Σγ_j z_j z_jᵀ)_j: contributions Σ_j‖γ_j z_j
    z_jᵀ‖² <= (Σγ_j‖z_j‖²)² <= 1 with inner products >= 0.

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
    return node("weighted_grams", name, x, bits=bits)


@verb
def weighted_squares(x: Handle, *, bits: int = 18, name: str | None = None) -> Handle:
    """Weighted sum of the squared norms of the rows as each component sees them.

    Parameters
    ----------
    x : Handle
        Private weighted rows of ``dp.whiten``.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private counts (k,): each between 0 and the component's weight.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``weighted_squares`` (docs/theory/corrections.md#weighted): Σγ_j‖z_j‖² with ‖z_j‖ <= 1: entries from 0 to
    γ_j, so ‖v‖₂ <= ‖v‖₁ <= 1 and inner products are >= 0.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Whitening
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     seen = dp.whiten(x, stub(Whitening(3, 2)))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.weighted_squares(seen))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("weighted_squares", name, x, bits=bits)


@verb
def weighted_radii(
    x: Handle, *, edges: int = 40, ratio: float = 2.0**0.25, bits: int = 18, name: str | None = None
) -> Handle:
    """Weights of each component by the distance at which it sees rows: k histograms of radii.

    The last of the bins holds what ``dp.whiten`` clips; each of the others ends ``ratio`` times nearer than the next.

    Parameters
    ----------
    x : Handle
        Private weighted rows of ``dp.whiten``.
    edges : int
        Edges of the bins, which are one more.
    ratio : float
        Of neighbouring edges, above 1.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private array (k, edges + 1).

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``weighted_radii`` (docs/theory/corrections.md#weighted): Σγ_j by bins of component j, one a row: γ with
    zeros put in, so ‖v‖₂ <= ‖v‖₁ <= 1 and inner products are >= 0.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Whitening
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     seen = dp.whiten(x, stub(Whitening(3, 2)))
    ...     return dp.release("result", dp.gaussian(share=1.0), dp.weighted_radii(seen))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("weighted_radii", name, x, edges=edges, ratio=ratio, bits=bits)
