"""Mixtures that a learner gives on blocks: whether they agree, one of them or their average, and its mask."""

from __future__ import annotations

from collections.abc import Sequence

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import mechanism, node, verb
from dpframe.kernel.operations import Mechanism


@verb
def mixture_agreement(blocks: Handle, *, k: int, d: int, nu: float, name: str | None = None) -> Handle:
    """How far mixtures of blocks agree: the mean share of blocks within ν of a block.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    k : int
        Components or candidates of one block's result.
    d : int
        Columns of one block's result.
    nu : float
        Mixtures whose components are within ν agree.
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
    Theorem ``mixture_agreement`` (Arbas23 Alg 1; docs/theory/populous.md#2-mixtures): Q = mean over blocks of the share
    of blocks within ν: one changed block moves it by at most 2/t.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="mixture", size=[1, 2])
    ...     return dp.release("result", dp.laplace(share=1.0), dp.mixture_agreement(blocks, k=1, d=2, nu=0.1))
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("mixture_agreement", name, blocks, k=k, d=d, nu=nu)


@verb
def select_mixture(
    blocks: Handle,
    test: Handle,
    *,
    k: int,
    d: int,
    nu: float,
    majority: int,
    test_threshold: float,
    name: str | None = None,
) -> Handle:
    """The first block that ``majority`` blocks are near; given a passed test.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    test : Handle
        The released outcome of ``dp.truncated_laplace_test`` on these blocks' agreement.
    k : int
        Components or candidates of one block's result.
    d : int
        Columns of one block's result.
    nu : float
        Mixtures whose components are within ν agree.
    majority : int
        Blocks that a chosen one must be near; at least half of them.
    test_threshold : float
        What the test before it asks of the agreement at least.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private mixture that exists where the test passed, for ``dp.mixture_mask``.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``close_mixture`` (Arbas23 Alg 1; docs/theory/populous.md#2-mixtures): Given the passed test, the first
    block near more than m others is within (1 + ν)² − 1 of its twin's.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Mixture
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="mixture", size=[1, 2])
    ...     value = dp.mixture_agreement(blocks, k=1, d=2, nu=0.1)
    ...     test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.7, delta_fraction=0.2), value)
    ...     chosen = dp.select_mixture(blocks, test, k=1, d=2, nu=0.1, majority=60, test_threshold=0.7)
    ...     masked = lambda value: dp.release("mask", dp.mixture_mask(share=1.0), value)
    ...     return dp.branch("result", test, masked, lambda value: stub(Mixture(1, 2)), chosen)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=5.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("select_mixture", name, blocks, test, k=k, d=d, nu=nu, majority=majority, test_threshold=test_threshold)


@verb
def populous_weight(
    blocks: Handle, *, k: int, d: int, r: float, majority: int, ramp: int, name: str | None = None
) -> Handle:
    """Sum over blocks of a weight that grows with the number of blocks near each.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    k : int
        Components or candidates of one block's result.
    d : int
        Columns of one block's result.
    r : float
        Results of blocks within it agree; in the units of the semimetric.
    majority : int
        Blocks that a chosen one must be near; at least half of them.
    ramp : int
        Blocks over which a weight grows from 0 to 1.
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
    Theorem ``populous_weight`` (docs/theory/averaged-populous.md#2-sensitivity-of-w): W = Σ clamp((c_i − m)/l, 0, 1),
    c_i the blocks near block i: one changed block moves it by <= 1 + (t − 1)/l.

    Examples
    --------
    >>> import dpframe as dp
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="mixture", size=[1, 2])
    ...     value = dp.populous_weight(blocks, k=1, d=2, r=0.7, majority=50, ramp=45)
    ...     return dp.release("result", dp.laplace(share=1.0), value)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node("populous_weight", name, blocks, k=k, d=d, r=r, majority=majority, ramp=ramp)


@verb
def populous_average(
    blocks: Handle,
    test: Handle,
    *,
    k: int,
    d: int,
    r: float,
    majority: int,
    ramp: int,
    test_threshold: float,
    name: str | None = None,
) -> Handle:
    """The average of the blocks, weighted as in ``populous_weight``; given a passed test.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    test : Handle
        The released outcome of ``dp.truncated_laplace_test`` on these blocks' agreement.
    k : int
        Components or candidates of one block's result.
    d : int
        Columns of one block's result.
    r : float
        Results of blocks within it agree; in the units of the semimetric.
    majority : int
        Blocks that a chosen one must be near; at least half of them.
    ramp : int
        Blocks over which a weight grows from 0 to 1.
    test_threshold : float
        What the test before it asks of the agreement at least.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private mixture that exists where the test passed, for ``dp.mixture_mask``.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``populous_average`` (docs/theory/averaged-populous.md#5-the-two-averages): Given W >= W₀ on both sides, the
    weighted matched averages of two neighbours are within γ_avg.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Mixture
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="mixture", size=[1, 2])
    ...     value = dp.populous_weight(blocks, k=1, d=2, r=0.7, majority=50, ramp=45)
    ...     test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=50.0, delta_fraction=0.2), value)
    ...     chosen = dp.populous_average(blocks, test, k=1, d=2, r=0.7, majority=50, ramp=45, test_threshold=50.0)
    ...     masked = lambda value: dp.release("mask", dp.mixture_mask(share=1.0), value)
    ...     return dp.branch("result", test, masked, lambda value: stub(Mixture(1, 2)), chosen)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=5.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return node(
        "populous_average",
        name,
        blocks,
        test,
        k=k,
        d=d,
        r=r,
        majority=majority,
        ramp=ramp,
        test_threshold=test_threshold,
    )


@verb
def mixture_mask(
    *, share: float | None = None, noise_multiplier: float | None = None, spread: Sequence[float] | None = None
) -> Mechanism:
    """A mixture with noise in the shape of each component: no bound on its parameters is needed.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        Scale of the noise over the sensitivity, fixed.
    spread : sequence of float, optional
        How ρ is shared by weight, mean and covariance; mean and covariance err alike if not given.

    Returns
    -------
    Mechanism
        A mechanism, for ``dp.release``.

    Raises
    ------
    PlanError
        Unless exactly one of share and noise_multiplier is given, and a positive number.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``mixture_mask`` (Arbas23 Lemma 6.1.1; docs/theory/masks.md#2-cost-of-one-component): Weight, mean and
    covariance masks of each of k components in random order: k times T3's Rényi cost.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Mixture
    >>> from dpframe.front.verbs.examples import stub
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="mixture", size=[1, 2])
    ...     value = dp.populous_weight(blocks, k=1, d=2, r=0.7, majority=50, ramp=45)
    ...     test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=50.0, delta_fraction=0.2), value)
    ...     chosen = dp.populous_average(blocks, test, k=1, d=2, r=0.7, majority=50, ramp=45, test_threshold=50.0)
    ...     masked = lambda value: dp.release("mask", dp.mixture_mask(share=1.0), value)
    ...     return dp.branch("result", test, masked, lambda value: stub(Mixture(1, 2)), chosen)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=5.0, delta=1e-6))
    >>> plan.verdict.holds
    True
    """
    return mechanism("mixture_mask", share=share, noise_multiplier=noise_multiplier, spread=spread)
