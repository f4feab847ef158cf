"""Candidates of blocks: their cells, and moments of their payload (sample and aggregate)."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.tracing import HandleLike
from dpframe.front.verbs.nodes import node, verb


@verb
def block_cells(
    blocks: Handle, grids: Handle, *, k: int, d: int, levels: int, payload: int = 0, name: str | None = None
) -> Handle:
    """Occupied cells of released grids, with the number of blocks that have a candidate in each.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    grids : Handle
        Released grids of d columns.
    k : int
        Candidates of one block's result.
    d : int
        Columns that say where a candidate is.
    levels : int
        Most grids, declared.
    payload : int
        Columns that follow them in a block's result.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        Private cells, for ``dp.stable_histogram``.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``block_cells`` (KSSU19 §6; docs/theory/corrections.md#c12): Numbers of *blocks* with a candidate in each
    cell, m levels: a block is in at most k cells of a level.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Record
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="points", size=[3, 2])
    ...     found = dp.block_cells(blocks, stub(Record("grids")), k=3, d=2, levels=1)
    ...     return dp.release("result", dp.stable_histogram(share=1.0, delta_fraction=0.5), found)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("block_cells", name, blocks, grids, k=k, d=d, payload=payload, levels=levels)


@verb
def block_moments(
    blocks: Handle,
    ball: HandleLike,
    payload_ball: Handle,
    *,
    k: int,
    d: int,
    payload: int,
    bits: int = 20,
    name: str | None = None,
) -> Handle:
    """Sums of place and payload of the blocks' first candidates in a ball, and their number.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    ball : Handle
        A released or public ball of d columns: which candidates count, and the frame of their places.
    payload_ball : Handle
        A released or public ball that payloads are clipped to.
    k : int
        Candidates of one block's result.
    d : int
        Columns that say where a candidate is.
    payload : int
        Columns that follow them.
    bits : int
        The lattice has steps of 2^−bits.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private vector (d + payload + 1,) in the units of the two balls, whose last entry is the number of blocks.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``block_moments`` (KSSU19 §6; docs/theory/corrections.md#c12): Σ(y, z, 1), ‖y‖ <= 1 and ‖z‖ <= 1, over
    blocks that give one such triple or nothing: 2√2 in ℓ₂ a changed block.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="points", size=[3, 3])
    ...     place, weight = dp.ball(centre=[0.0, 0.0], radius=1.0), dp.ball(centre=[0.5], radius=0.5)
    ...     value = dp.block_moments(blocks, place, weight, k=3, d=2, payload=1)
    ...     return dp.release("result", dp.gaussian(share=1.0), value)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("block_moments", name, blocks, ball, payload_ball, k=k, d=d, payload=payload, bits=bits)
