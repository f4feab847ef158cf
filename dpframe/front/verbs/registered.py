"""Results of blocks compared by a semimetric that a plugin registers, and masked by its own mask."""

from __future__ import annotations

from dpframe.front.program import Handle
from dpframe.front.verbs.nodes import mechanism, node, verb
from dpframe.kernel.operations import Mechanism


@verb
def registered_agreement(
    blocks: Handle, *, semimetric: str, r: float, d: int, k: int = 0, z: float = 1.0, name: str | None = None
) -> Handle:
    """Agreement of the blocks, as ``agreement`` gives it, in a plugin's own semimetric.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    semimetric : str
        Registered name of the distance.
    r : float
        Results of blocks within it agree; in the units of the semimetric.
    d : int
        Numbers in one block's vector, or in each component.
    k : int
        Components of one block's result, compared in the best of their matchings; 0 for a plain vector.
    z : float
        Constant of the semimetric's approximate triangle inequality at ``r``.
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
    Theorem ``registered_agreement`` (Arbas23 Thm 4.3.1; docs/theory/populous.md#3-any-semimetric): As
    ``mixture_agreement``, with a plugin's distance, a function of two blocks only: at most 2/t.

    Examples
    --------
    >>> import dpframe as dp
    >>> import numpy as np
    >>> from dpframe.plugin import mask, semimetric
    >>> @semimetric("example.distance", triangle=lambda r: 1.0)
    ... def distance(a, b):
    ...     return float(np.abs(a - b).max())
    >>> @dp.program
    ... def example(x):
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     value = dp.registered_agreement(blocks, semimetric="example.distance", r=0.5, d=2)
    ...     return dp.release("result", dp.laplace(share=1.0), value)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6), allow_asserted=True)
    >>> plan.verdict.holds
    True
    """
    return node("registered_agreement", name, blocks, semimetric=semimetric, r=r, d=d, k=k, z=z)


@verb
def select_registered(
    blocks: Handle,
    test: Handle,
    *,
    semimetric: str,
    r: float,
    d: int,
    k: int = 0,
    majority: int,
    test_threshold: float,
    z: float = 1.0,
    name: str | None = None,
) -> Handle:
    """The first block that ``majority`` blocks are near in a plugin's semimetric; given a passed test.

    Parameters
    ----------
    blocks : Handle
        Private results of ``dp.block_learner``.
    test : Handle
        The released outcome of ``dp.truncated_laplace_test`` on these blocks' agreement.
    semimetric : str
        Registered name of the distance.
    r : float
        Results of blocks within it agree; in the units of the semimetric.
    d : int
        Numbers in one block's vector, or in each component.
    k : int
        Components of one block's result, compared in the best of their matchings; 0 for a plain vector.
    majority : int
        Blocks that a chosen one must be near; at least half of them.
    test_threshold : float
        What the test before it asks of the agreement at least.
    z : float
        Constant of the semimetric's approximate triangle inequality at ``r``.
    name : str, optional
        Of the node; numbered if not given.

    Returns
    -------
    Handle
        A private vector that exists where the test passed, for ``dp.registered_mask``.

    Raises
    ------
    PlanError
        Where a shape doesn't fit, or a private value goes where none may.
    SpecError
        For a parameter of a wrong type or out of its range.

    Formal guarantees
    -----------------
    Theorem ``close_registered`` (Arbas23 Thm 4.3.1; docs/theory/populous.md#3-any-semimetric): Given the passed test,
    the first block within r/2z of more than m blocks is within r of its twin's.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Vector
    >>> from dpframe.front.verbs.examples import stub
    >>> import numpy as np
    >>> from dpframe.plugin import lattice_gaussian, mask, semimetric
    >>> @semimetric("example.distance", triangle=lambda r: 1.0)
    ... def distance(a, b):
    ...     return float(np.sqrt(np.square(a - b).sum()))
    >>> @mask("example.noise", semimetric="example.distance", cost=lambda noise, r: (r / noise) ** 2)
    ... def noisy(value, noise, normals):
    ...     return lattice_gaussian(value, noise, normals)
    >>> @dp.program
    ... def example(x):
    ...     same = {"semimetric": "example.distance", "r": 0.5, "d": 2}
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     value = dp.registered_agreement(blocks, **same)
    ...     test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.7, delta_fraction=0.2), value)
    ...     chosen = dp.select_registered(blocks, test, **same, majority=60, test_threshold=0.7)
    ...     noise = dp.registered_mask(mask="example.noise", semimetric="example.distance", r=0.5, share=1.0)
    ...     masked = lambda value: dp.release("mask", noise, value)
    ...     return dp.branch("result", test, masked, lambda value: stub(Vector(2)), chosen)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6), allow_asserted=True)
    >>> plan.verdict.holds
    True
    """
    return node(
        "select_registered",
        name,
        blocks,
        test,
        semimetric=semimetric,
        r=r,
        d=d,
        k=k,
        majority=majority,
        test_threshold=test_threshold,
        z=z,
    )


@verb
def registered_mask(
    *,
    share: float | None = None,
    noise_multiplier: float | None = None,
    mask: str,
    semimetric: str,
    r: float,
    view: str = "rho",
) -> Mechanism:
    """A plugin's own mask of values that are within r of one another in its semimetric.

    Parameters
    ----------
    share : float, optional
        Weight of ρ relative to the other shares; the planner solves the noise. Give this or ``noise_multiplier``.
    noise_multiplier : float, optional
        Scale of the noise over the sensitivity, fixed.
    mask : str
        Registered name of the mask.
    semimetric : str
        Registered name of the distance.
    r : float
        As the selection declares it.
    view : {"rho", "mu", "pure", "laplace", "bounded_range", "renyi"}
        How the mask's cost is known: ρ of zCDP, a dominating pair by its one number, or Rényi divergences.

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
    Theorem ``registered_mask`` (Arbas23 Def 4.2.1; docs/theory/populous.md#3-any-semimetric): A plugin's mask of values
    within r of its semimetric costs what the plugin asserts.

    Examples
    --------
    >>> import dpframe as dp
    >>> from dpframe.proof.spaces import Vector
    >>> from dpframe.front.verbs.examples import stub
    >>> import numpy as np
    >>> from dpframe.plugin import lattice_gaussian, mask, semimetric
    >>> @semimetric("example.distance", triangle=lambda r: 1.0)
    ... def distance(a, b):
    ...     return float(np.sqrt(np.square(a - b).sum()))
    >>> @mask("example.noise", semimetric="example.distance", cost=lambda noise, r: (r / noise) ** 2)
    ... def noisy(value, noise, normals):
    ...     return lattice_gaussian(value, noise, normals)
    >>> @dp.program
    ... def example(x):
    ...     same = {"semimetric": "example.distance", "r": 0.5, "d": 2}
    ...     blocks = dp.block_learner(x, learner="gaussian_1", t=100, item="vector", size=[2])
    ...     value = dp.registered_agreement(blocks, **same)
    ...     test = dp.release("test", dp.truncated_laplace_test(share=1.0, threshold=0.7, delta_fraction=0.2), value)
    ...     chosen = dp.select_registered(blocks, test, **same, majority=60, test_threshold=0.7)
    ...     noise = dp.registered_mask(mask="example.noise", semimetric="example.distance", r=0.5, share=1.0)
    ...     masked = lambda value: dp.release("mask", noise, value)
    ...     return dp.branch("result", test, masked, lambda value: stub(Vector(2)), chosen)
    >>> plan = dp.plan(example, x=dp.rows(n=1000, d=2),
    ...                adjacency=dp.REPLACE_ONE, budget=dp.approx_dp(epsilon=1.0, delta=1e-6), allow_asserted=True)
    >>> plan.verdict.holds
    True
    """
    return mechanism(
        "registered_mask",
        share=share,
        noise_multiplier=noise_multiplier,
        mask=mask,
        semimetric=semimetric,
        r=r,
        view=view,
    )
