"""Verbs of averages in semimetrics that a plugin registered."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import node, verb


@verb
def registered_weight(
    blocks: Handle,
    *,
    semimetric: str,
    r: float,
    d: int,
    k: int = 0,
    majority: int,
    ramp: int,
    z: float = 1.0,
    z_far: float = 1.0,
    name: str | None = None,
) -> Handle:
    """Weight of the populous blocks, as ``populous_weight`` gives it, in a plugin's own semimetric.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    semimetric : str
        Registered name of the distance.
    r : float
        Blocks of positive weight are pairwise within it.
    d : int
        Numbers in one block's vector, or in each component.
    k : int
        Components of one block's result, compared in the best of their matchings; 0 for a plain vector.
    majority : int
        A block weighs nothing until more blocks than this are near it; at least half of them.
    ramp : int
        How many more give it full weight.
    z : float
        Constant of the semimetric's approximate triangle inequality at ``r``.
    z_far : float
        The same where one of the two distances is up to 2·z·r.
    name : str, optional
        Of the node; numbered if not given.


    Returns
    -------
    Handle
        A private number, at most the number of blocks.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``registered_weight`` (docs/theory/averaged-populous.md#10-any-convex-semimetric): As ``populous_weight``,
    with a plugin's distance, a function of two blocks only: <= 1 + (t − 1)/l.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     value = dp.registered_weight(blocks, semimetric="euclidean", r=0.5, d=2, majority=50, ramp=45)
    ...     return dp.release("result", dp.laplace(share=1.0), value)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6), allow_asserted=True)
    >>> plan.verdict.holds
    True
    """
    return node(
        "registered_weight",
        name,
        blocks,
        semimetric=semimetric,
        r=r,
        d=d,
        k=k,
        majority=majority,
        ramp=ramp,
        z=z,
        z_far=z_far,
    )


@verb
def registered_average(
    blocks: Handle,
    test: Handle,
    *,
    semimetric: str,
    r: float,
    d: int,
    k: int = 0,
    majority: int,
    ramp: int,
    test_threshold: float,
    gamma: float,
    z: float = 1.0,
    z_far: float = 1.0,
    name: str | None = None,
) -> Handle:
    """The average of the blocks in a plugin's semimetric, weighted as in ``registered_weight``; given a passed test.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    test : Handle
        The released outcome of ``dp.truncated_laplace_test`` on these blocks' weight.
    semimetric : str
        Registered name of the distance.
    r : float
        Blocks of positive weight are pairwise within it.
    d : int
        Numbers in one block's vector, or in each component.
    k : int
        Components of one block's result, compared in the best of their matchings; 0 for a plain vector.
    majority : int
        A block weighs nothing until more blocks than this are near it; at least half of them.
    ramp : int
        How many more give it full weight.
    test_threshold : float
        What the test before it asks of the weight at least.
    gamma : float
        How far the averages of two neighbours may be: :func:`dpframe.plugin.gamma_of`.
    z : float
        Constant of the semimetric's approximate triangle inequality at ``r``.
    z_far : float
        The same where one of the two distances is up to 2·z·r.
    name : str, optional
        Of the node; numbered if not given.


    Returns
    -------
    Handle
        A private vector, or k components, that exists where the test passed: for ``dp.registered_mask`` or ``dp.lift``.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``registered_average`` (docs/theory/averaged-populous.md#10-any-convex-semimetric): Given W >= W₀ on both
    sides, the weighted matched averages of two neighbours are within the asserted gamma.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Vector
    >>> from dpframe.front.verbs.examples import stub
    >>> from dpframe.plugin import gamma_of
    >>> @dp.program
    ... def example(x):
    ...     same = {"semimetric": "euclidean", "r": 0.5, "d": 2, "majority": 50, "ramp": 45}
    ...     gamma = gamma_of("euclidean", r=0.5, t=100, ramp=45, threshold=50.0)
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     value = dp.registered_weight(blocks, **same)
    ...     test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=50.0, delta_fraction=0.2), value)
    ...     chosen = dp.registered_average(blocks, test, **same, test_threshold=50.0, gamma=gamma)
    ...     noise = dp.registered_mask(mask="euclidean.gaussian", semimetric="euclidean", r=gamma, share=1.0)
    ...     masked = lambda value: dp.release("mask", noise, value)
    ...     return dp.branch("result", test, masked, lambda value: stub(Vector(2)), chosen)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6), allow_asserted=True)
    >>> plan.verdict.holds
    True
    """
    return node(
        "registered_average",
        name,
        blocks,
        test,
        semimetric=semimetric,
        r=r,
        d=d,
        k=k,
        majority=majority,
        ramp=ramp,
        test_threshold=test_threshold,
        gamma=gamma,
        z=z,
        z_far=z_far,
    )
