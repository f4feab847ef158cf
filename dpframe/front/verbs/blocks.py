"""Any learner made private: its results on blocks of rows, and what may be asked of them."""

from __future__ import annotations

from collections.abc import Sequence

from dpframe.front.program import Handle
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.nodes import node, verb


@verb
def block_learner(
    x: Handle, *, learner: str, t: int, item: str, size: Sequence[int], seed: int = 0, name: str | None = None
) -> Handle:
    """Results of a non-private learner on ``t`` equal blocks of the rows, ⊥ where it fails.

    Parameters
    ----------
    x : Handle
        Private rows in the units of the table.
    learner : str
        Registered name of ``(rows, generator) -> tuple of arrays``, see ``dp.learner``.
    t : int
        Number of blocks.
    item : {"vector", "points", "mixture"}
        What the learner returns.
    size : sequence of int
        (d,) of a vector, (k, d) of points or of a mixture.
    seed : int
        Public seed of the permutation and of the blocks' own streams.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private results of blocks; refused under add/remove.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``index_blocks`` (docs/theory/notation.md#fixed-split): A learner run on t blocks of the original row index:
    each replaced row changes one block's result.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     return dp.release("result", dp.laplace(share=1.0), dp.agreement(blocks, r=0.5, d=2))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("block_learner", name, x, learner=learner, t=t, item=item, size=size, seed=seed)


@verb
def block_counts(
    blocks: Handle, balls: Handle, *, k: int, d: int, size: int, payload: int = 0, name: str | None = None
) -> Handle:
    """Number of blocks that have a candidate in each ball of a released list.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    balls : Handle
        A released list of balls.
    k : int
        Components or candidates of one block's result.
    d : int
        Columns that say where a candidate is.
    size : int
        Most balls; those that the list has not count 0.
    payload : int
        Columns that follow them in a block's result.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private counts, for ``dp.gaussian``, ``dp.laplace`` or a selection.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``block_candidates`` (KSSU19 §6; docs/theory/corrections.md#c12): Counting *blocks* that have a candidate in
    a released or public set: each changed block moves a count by 1.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Ball, ListOf
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="points", size=[3, 2])
    ...     value = dp.block_counts(blocks, stub(ListOf(Ball(2), 4)), k=3, d=2, size=4)
    ...     return dp.release("result", dp.laplace(share=1.0), value)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("block_counts", name, blocks, balls, k=k, d=d, payload=payload, size=size)


@verb
def block_sum(
    blocks: Handle, ball: HandleLike, *, k: int, d: int, payload: int = 0, bits: int = 20, name: str | None = None
) -> Handle:
    """Sum and count of the blocks' first candidates in a ball; released, it becomes their mean.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    ball : Handle
        A released or public ball.
    k : int
        Components or candidates of one block's result.
    d : int
        Columns that say where a candidate is.
    payload : int
        Columns that follow them in a block's result; they are left out.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private vector (d + 1,), whose last entry is the number of blocks.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``block_weights`` (KSSU19 §6; docs/theory/corrections.md#c12): Σ(y, 1) over blocks that give one y, ‖y‖ <=
    1, or nothing: a changed block moves it by at most 2 in ℓ₂.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="points", size=[3, 2])
    ...     value = dp.block_sum(blocks, dp.ball(centre=[0.0, 0.0], radius=1.0), k=3, d=2)
    ...     return dp.release("result", dp.gaussian(share=1.0), value)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("block_sum", name, blocks, ball, k=k, d=d, payload=payload, bits=bits)


@verb
def agreement(blocks: Handle, *, r: float, d: int, semimetric: str = "l2", name: str | None = None) -> Handle:
    """How far vectors of blocks agree: the mean share of blocks within r/2z of a block.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    r : float
        Results of blocks within it agree; in the units of the semimetric.
    d : int
        Columns of one block's result.
    semimetric : str
        Registered name of the distance.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private number from 0 to 1.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``agreement`` (Arbas23 Alg 1; docs/theory/populous.md#1-t4-what-it-costs): Q = mean over blocks of the share
    of blocks within the radius: one changed block moves it by at most 2/t.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     return dp.release("result", dp.laplace(share=1.0), dp.agreement(blocks, r=0.5, d=2))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("agreement", name, blocks, r=r, d=d, semimetric=semimetric)


@verb
def select_block(
    blocks: Handle,
    test: Handle,
    *,
    r: float,
    d: int,
    theta: float,
    test_threshold: float,
    semimetric: str = "l2",
    bits: int = 24,
    name: str | None = None,
) -> Handle:
    """The vector of the first block that more than a share θ of the blocks are near; given a passed test.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    test : Handle
        The released outcome of ``dp.truncated_laplace_test`` on these blocks' agreement.
    r : float
        Results of blocks within it agree; in the units of the semimetric.
    d : int
        Columns of one block's result.
    theta : float
        Share of blocks, at least ⌈t/2⌉/t.
    test_threshold : float
        What the test before it asks of the agreement at least.
    semimetric : str
        Registered name of the distance.
    bits : int
        Lattice of the vector, relative to r; 1 to 26.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private vector that exists where the test passed, and whose neighbours are within r.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``close_selection`` (Arbas23 Alg 1; docs/theory/populous.md#1-t4-what-it-costs): Given the passed test, the
    first block with q_i > θ is within r of its twin's: two neighbourhoods share a block.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Vector
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     value = dp.agreement(blocks, r=0.5, d=2)
    ...     test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.7, delta_fraction=0.2), value)
    ...     chosen = dp.select_block(blocks, test, r=0.5, d=2, theta=0.6, test_threshold=0.7)
    ...     masked = lambda value: dp.release("mask", dp.gaussian(share=1.0), value)
    ...     return dp.branch("result", test, masked, lambda value: stub(Vector(2)), chosen)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node(
        "select_block",
        name,
        blocks,
        test,
        r=r,
        d=d,
        theta=theta,
        test_threshold=test_threshold,
        semimetric=semimetric,
        bits=bits,
    )
