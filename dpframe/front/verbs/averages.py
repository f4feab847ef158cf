"""Averages of blocks that agree: in ℓ₂, or in a semimetric of a plugin; and the lift of a plugin's mask."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import mechanism, node, verb
from dpframe.kernel.operations import Mechanism


@verb
def block_weight(blocks: Handle, *, r: float, d: int, majority: int, ramp: int, name: str | None = None) -> Handle:
    """Sum over blocks of a weight that grows with the number of blocks within r/2 of each, in ℓ₂.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    r : float
        Blocks of positive weight are pairwise within it.
    d : int
        Numbers in one block's vector, or in each component.
    majority : int
        A block weighs nothing until more blocks than this are near it; at least half of them.
    ramp : int
        How many more give it full weight.
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
    Theorem ``block_weight`` (docs/theory/averaged-populous.md#2-sensitivity-of-w): As ``populous_weight``, for vectors
    in ℓ₂ and neighbourhoods of radius r/2: <= 1 + (t − 1)/l.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     value = dp.block_weight(blocks, r=0.5, d=2, majority=50, ramp=45)
    ...     return dp.release("result", dp.laplace(share=1.0), value)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("block_weight", name, blocks, r=r, d=d, majority=majority, ramp=ramp)


@verb
def block_average(
    blocks: Handle,
    test: Handle,
    *,
    r: float,
    d: int,
    majority: int,
    ramp: int,
    test_threshold: float,
    bits: int = 30,
    name: str | None = None,
) -> Handle:
    """The average of the blocks' vectors, weighted as in ``block_weight``; given a passed test.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    test : Handle
        The released outcome of ``dp.truncated_laplace_test`` on these blocks' weight.
    r : float
        Blocks of positive weight are pairwise within it.
    d : int
        Numbers in one block's vector, or in each component.
    majority : int
        A block weighs nothing until more blocks than this are near it; at least half of them.
    ramp : int
        How many more give it full weight.
    test_threshold : float
        What the test before it asks of the weight at least.
    bits : int
        Lattice of the average, relative to r.
    name : str, optional
        Of the node; numbered if not given.


    Returns
    -------
    Handle
        A private vector that exists where the test passed, for ``dp.gaussian``.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``block_average`` (docs/theory/averaged-populous.md#10-any-convex-semimetric): Given W >= W₀ on both sides,
    the weighted averages of two neighbours are within TV·r in ℓ₂, and rounding.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Vector
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     same = {"r": 0.5, "d": 2, "majority": 50, "ramp": 45}
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     value = dp.block_weight(blocks, **same)
    ...     test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=50.0, delta_fraction=0.2), value)
    ...     chosen = dp.block_average(blocks, test, **same, test_threshold=50.0)
    ...     noisy = lambda value: dp.release("mean", dp.gaussian(share=1.0), value)
    ...     return dp.branch("result", test, noisy, lambda value: stub(Vector(2)), chosen)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node(
        "block_average",
        name,
        blocks,
        test,
        r=r,
        d=d,
        majority=majority,
        ramp=ramp,
        test_threshold=test_threshold,
        bits=bits,
    )


@verb
def lift(
    *,
    share: float | None = None,
    noise_multiplier: float | None = None,
    mask: str,
    semimetric: str,
    r: float,
    k: int,
    view: str = "rho",
) -> Mechanism:
    """A plugin's mask of one component, applied to k components in random order.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        Scale of the noise over the sensitivity, fixed.
    mask : str
        Registered name of the mask.
    semimetric : str
        Registered name of the distance of two components.
    r : float
        Components are within it, in the best matching.
    k : int
        Number of components.
    view : {"rho", "mu", "pure", "laplace", "bounded_range", "renyi"}
        How the mask's cost is known: ρ of zCDP, a dominating pair by its one number, or Rényi divergences.


    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``lift`` (Arbas23 Lemma 6.1.1; docs/theory/masks.md#3-random-order-the-lift): Any mask of a component,
    applied to each of k components in random order, costs k times the component's.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Array
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     same = {"semimetric": "euclidean", "r": 0.5, "d": 3, "k": 2}
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="points", size=[2, 3])
    ...     value = dp.registered_agreement(blocks, **same)
    ...     test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.7, delta_fraction=0.2), value)
    ...     chosen = dp.select_registered(blocks, test, **same, majority=60, test_threshold=0.7)
    ...     noise = dp.lift(mask="euclidean.gaussian", semimetric="euclidean", r=0.5, k=2, share=1.0)
    ...     masked = lambda value: dp.release("mask", noise, value)
    ...     return dp.branch("result", test, masked, lambda value: stub(Array((2, 3))), chosen)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6), allow_asserted=True)
    >>> plan.verdict.holds
    True
    """
    return mechanism(
        "lift", share=share, noise_multiplier=noise_multiplier, mask=mask, semimetric=semimetric, r=r, k=k, view=view
    )
