"""Rows to disjoint parts. What runs on different parts composes better than what runs on the same rows."""

from __future__ import annotations

from collections.abc import Sequence

from dpframe.front.program import Handle
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.nodes import given, parts, verb


@verb
def split(
    x: Handle, *, count: int, seed: int = 0, weights: Sequence[int] = (), name: str | None = None
) -> list[Handle]:
    """Parts by row index, along a fixed public permutation: halves, folds, blocks.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    count : int
        Number of parts.
    seed : int
        Public seed of the permutation of row indices.
    weights : sequence of int
        Sizes of the parts relative to each other; none for equal ones.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    list of Handle
        The private parts, in order.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``index_partition`` (docs/theory/notation.md#fixed-split): Parts cut from the original row index under
    replace-one: both edits carry one index, the max over parts.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     first, second = dp.split(x, count=2)
    ...     one = dp.release("one", dp.laplace(share=1.0), dp.count(first))
    ...     two = dp.release("two", dp.laplace(share=1.0), dp.count(second))
    ...     return one, two
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return parts("split", name, x, count=count, seed=seed, weights=weights)


@verb
def secret_split(x: Handle, *, count: int, name: str | None = None) -> list[Handle]:
    """Parts by secret independent labels, for add/remove.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    count : int
        Number of parts.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    list of Handle
        The private parts, in order.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``secret_labels`` (docs/theory/notation.md#fixed-split): Rows labelled secretly and independently: as a rule
    partition, for labels never published.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     first, second = dp.secret_split(x, count=2)
    ...     return dp.release("result", dp.laplace(share=1.0), dp.count(first))
    >>> plan = dp.plan(example, x=dp.rows(d=2), adjacency=dp.ADD_REMOVE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return parts("secret_split", name, x, count=count)


@verb
def subsample(x: Handle, *, rate: float, name: str | None = None) -> list[Handle]:
    """A secret Poisson sample of the rows.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    rate : float
        Probability that a row is kept, a multiple of 2^−32.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    list of Handle
        One private part: the sample.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``secret_sample`` (Balle, Barthe, Gaboardi 2018; docs/theory/corrections.md#t9): A secret Poisson sample: ε
    becomes ln(1 + p(e^ε − 1)) and δ becomes pδ, once for all that runs on it.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     (sample,) = dp.subsample(x, rate=0.125)
    ...     return dp.release("result", dp.laplace(share=1.0), dp.count(sample))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return parts("subsample", name, x, rate=rate)


@verb
def filter_ball(x: Handle, ball: HandleLike, via: Handle | None = None, *, name: str | None = None) -> list[Handle]:
    """Rows inside a released ball, and the others.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    ball : Handle
        A released or public ball, of the image of ``via`` where there is one.
    via : Handle, optional
        A released affine map: rows are parted by where it takes them, and stay whole.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    list of Handle
        Two private parts: inside, outside. Either may stay unused.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``rule_partition`` (docs/theory/notation.md#parts): Parts by a released or public rule: the worst of (1,1)
    in one part and (1,0), (0,1) in two, composed.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     near, far = dp.filter_ball(x, dp.ball(centre=[0.0, 0.0], radius=1.0))
    ...     return dp.release("result", dp.laplace(share=1.0), dp.count(near))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return parts("filter_ball", name, *given(x, ball, via))


@verb
def partition_balls(
    x: Handle, listed: HandleLike, via: Handle | None = None, *, balls: int, name: str | None = None
) -> list[Handle]:
    """Rows by the first of a released list of balls that holds them.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    listed : Handle
        A released list of balls, or a public one as [(centre, radius), ...]; of the image of ``via`` where there is
        one.
    via : Handle, optional
        A released affine map: rows are parted by where it takes them, and stay whole.
    balls : int
        Most balls, declared.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    list of Handle
        A private part a ball, and last the rows of no ball.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``rule_partition`` (docs/theory/notation.md#parts): Parts by a released or public rule: the worst of (1,1)
    in one part and (1,0), (0,1) in two, composed.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     parts = dp.partition_balls(x, [([0.0, 0.0], 1.0), ([5.0, 0.0], 2.0)], balls=3)
    ...     return dp.release("result", dp.laplace(share=1.0), dp.count(parts[0]))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return parts("partition_balls", name, *given(x, listed, via), balls=balls)


@verb
def partition_nearest(x: Handle, points: HandleLike, *, centres: int, name: str | None = None) -> list[Handle]:
    """Rows by the nearest of released points; ties go to the first.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    points : Handle
        Released points (centres, d).
    centres : int
        Number of points.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    list of Handle
        A private part a point.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``rule_partition`` (docs/theory/notation.md#parts): Parts by a released or public rule: the worst of (1,1)
    in one part and (1,0), (0,1) in two, composed.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     left, right = dp.partition_nearest(x, dp.constant([[-1.0, 0.0], [1.0, 0.0]]), centres=2)
    ...     return dp.release("result", dp.laplace(share=1.0), dp.count(left))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return parts("partition_nearest", name, x, points, centres=centres)


@verb
def partition_halfspace(x: Handle, through: HandleLike, *, name: str | None = None) -> list[Handle]:
    """Rows on either side of a released hyperplane: ``(x − shift) @ matrix <= 0``, and the others.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    through : Handle
        A released or public affine map to one dimension: ``dict(shift=, matrix=, scale=)`` with a matrix (d, 1).
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    list of Handle
        Two private parts.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``rule_partition`` (docs/theory/notation.md#parts): Parts by a released or public rule: the worst of (1,1)
    in one part and (1,0), (0,1) in two, composed.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     low, high = dp.partition_halfspace(x, dict(shift=[0.0, 0.0], matrix=[[1.0], [0.0]], scale=100.0))
    ...     return dp.release("result", dp.laplace(share=1.0), dp.count(low))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return parts("partition_halfspace", name, x, through)
