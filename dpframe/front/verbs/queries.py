"""What may be done with private scores before they are released."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import node, verb


@verb
def cap(scores: Handle, *, t: int, name: str | None = None) -> Handle:
    """Scores capped at ``t``.

    Parameters
    ----------
    scores : Handle
        Private scores or counts.
    t : int
        The cap.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private scores, as many.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``lipschitz_scores`` (docs/theory/notation.md#lipschitz): Capping, min, max, negation and shifts by
    constants are 1-Lipschitz in ℓ∞.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     return dp.release("result", dp.above_threshold(share=1.0, threshold=50.0), dp.cap(dp.count(x), t=100))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("cap", name, scores, t=t)


@verb
def group_maximum(scores: Handle, *, groups: int, name: str | None = None) -> Handle:
    """The largest score of each of ``groups`` groups of one size that follow one another.

    Parameters
    ----------
    scores : Handle
        Private scores or counts.
    groups : int
        Their number, a divisor of the number of scores.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private scores (groups,).

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``lipschitz_scores`` (docs/theory/notation.md#lipschitz): Capping, min, max, negation and shifts by
    constants are 1-Lipschitz in ℓ∞.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Ball, ListOf
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     counts = dp.ball_counts(x, stub(ListOf(Ball(2), 6)), size=6)
    ...     best = dp.group_maximum(counts, groups=3)
    ...     return dp.release("result", dp.above_threshold(share=1.0, threshold=50.0), best)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("group_maximum", name, scores, groups=groups)


@verb
def minimum(*scores: Handle, name: str | None = None) -> Handle:
    """The least of all scores.

    Parameters
    ----------
    *scores : Handle
        Private scores or counts, one input or several.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        One private score.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``lipschitz_scores`` (docs/theory/notation.md#lipschitz): Capping, min, max, negation and shifts by
    constants are 1-Lipschitz in ℓ∞.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     first, second = dp.bin_counts(x, edges=[0.0]), dp.bin_counts(x, edges=[0.0], column=1)
    ...     return dp.release("result", dp.above_threshold(share=1.0, threshold=50.0), dp.minimum(first, second))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("minimum", name, *scores)


@verb
def maximum(*scores: Handle, name: str | None = None) -> Handle:
    """The largest of all scores.

    Parameters
    ----------
    *scores : Handle
        Private scores or counts, one input or several.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        One private score.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``lipschitz_scores`` (docs/theory/notation.md#lipschitz): Capping, min, max, negation and shifts by
    constants are 1-Lipschitz in ℓ∞.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     first, second = dp.bin_counts(x, edges=[0.0]), dp.bin_counts(x, edges=[0.0], column=1)
    ...     return dp.release("result", dp.above_threshold(share=1.0, threshold=50.0), dp.maximum(first, second))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("maximum", name, *scores)
