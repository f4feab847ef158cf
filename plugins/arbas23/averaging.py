"""Averaged populous estimation for any learner: of vectors in ℓ₂, or of any type with a semimetric and a mask."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar

import attrs

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    ApproxDP,
    Array,
    Domain,
    Failed,
    Flag,
    Handle,
    PlanError,
    Post,
    Slot,
    Vector,
    composite,
    find_semimetric,
    gamma_of,
    positive,
    positive_whole,
    register,
    truncated_laplace_bound,
    wants,
)

TEST_EPSILON, TEST_DELTA = 0.25, 0.2
"""What the test takes of ε and δ."""
AGREE, RAMP, SPARE = 0.9, 0.45, 4
"""The share of blocks that is hoped for, the ramp as a share of the blocks, and blocks in units of the test's noise."""


@attrs.frozen
class Sizes:
    """Public numbers of a design: blocks, majority, ramp, and what the test asks of W."""

    t: int
    epsilon: float
    delta: float

    @property
    def shared(self) -> dict[str, int]:
        """Majority and ramp of ``t`` blocks."""
        majority = (self.t + 1) // 2
        return {"majority": majority, "ramp": max(min(int(RAMP * self.t), self.t - majority), 1)}

    @property
    def reach(self) -> float:
        """How far the test's noise goes."""
        sensitivity = 1 + (self.t - 1) / self.shared["ramp"]
        return truncated_laplace_bound(sensitivity * (1 + 1e-9), self.epsilon, self.delta)

    @property
    def threshold(self) -> float:
        """The test passes surely where W is at least the share that is hoped for."""
        return max(AGREE * self.t - 2 * self.reach, 1.0)

    @classmethod
    def of(cls, x: Handle, t: int | None) -> Sizes:
        """For the budget of the program that is being traced.

        Raises
        ------
        PlanError
            For a budget without δ.
        """
        budget = x.tracer.target.budget if x.tracer.target is not None else None
        if not isinstance(budget, ApproxDP) or budget.delta <= 0:
            raise PlanError("the test of the blocks needs an approximate budget with a delta", fix="use epsilon, delta")
        epsilon, delta = TEST_EPSILON * budget.epsilon, TEST_DELTA * budget.delta
        if t is not None:
            return cls(t, epsilon, delta)
        least = truncated_laplace_bound(1 + 1 / RAMP, epsilon, delta)
        return cls(max(math.ceil(SPARE * least), 20), epsilon, delta)


VECTORS = {"learner": "families.poisson_cover", "size": 2, "r": 1.0}
EUCLIDEAN = {**VECTORS, "semimetric": "euclidean", "mask": "euclidean.gaussian"}
"""What `dpframe check` calls averages with."""


@composite("arbas23.friendly", examples=VECTORS)
def friendly(x: Handle, *, learner: str, size: int, r: float, t: int | None = None, seed: int = 0) -> Handle:
    """The average of what a learner makes of blocks, where most blocks are within r/2 of one another in ℓ₂.

    FriendlyCore-style: blocks with few friends weigh nothing, and the noise is that of values within r, whatever
    their size. With a learner of means it is a private median of means.

    Parameters
    ----------
    x : Handle
        The private table.
    learner : str
        Registered name of a learner of vectors.
    size : int
        Numbers in the learner's vector.
    r : float
        Twice how far the blocks' vectors may be from one another, in ℓ₂.
    t : int, optional
        Number of blocks; a few times the test's noise if not given.
    seed : int
        Public seed of the blocks and of the learners' streams.

    Returns
    -------
    Handle
        A released vector of ``size`` numbers; ``failed`` where too few blocks agree.

    Raises
    ------
    PlanError, SpecError
        For a budget without δ, a private number of rows, and what is not registered.

    Formal guarantees
    -----------------
    Replace-one with public n only. Loss: the test's (ε₁, δ₁), a quarter of ε and a fifth of δ, and the Gaussian's at
    TV·r, composed (T8, ``docs/theory/averaged-populous.md``, 10). Of the estimate nothing is asserted.
    """
    sizes = Sizes.of(x, t)
    shared: dict[str, Any] = {"r": r, "d": size, **sizes.shared}
    blocks = dp.block_learner(x, learner=learner, t=sizes.t, seed=seed, item="vector", size=[size], name="blocks")
    weight = dp.block_weight(blocks, name="weight", **shared)

    def chosen(test: Handle) -> Handle:
        return dp.block_average(blocks, test, name="average", test_threshold=sizes.threshold, **shared)

    def noisy(value: Handle) -> Handle:
        return dp.release("noisy", dp.gaussian(share=1.0), value)

    return tested("vector", sizes, weight, chosen, noisy, (size,))


@composite("arbas23.averaged", examples=EUCLIDEAN)
def averaged(
    x: Handle,
    *,
    learner: str,
    size: int,
    k: int = 0,
    semimetric: str,
    mask: str,
    r: float,
    view: str = "rho",
    t: int | None = None,
    seed: int = 0,
) -> Handle:
    """The average of what a learner makes of blocks, in a registered semimetric, masked: vectors or k components.

    Parameters
    ----------
    x : Handle
        The private table.
    learner, semimetric, mask : str
        Registered names.
    size : int
        Numbers in the learner's vector, or in each of its components.
    k : int
        Components of a result, compared in the best of their matchings; 0 for plain vectors.
    r : float
        Blocks are hoped to be within r/2z of one another.
    view : str
        How the mask's cost is known.
    t : int, optional
        Number of blocks; a few times the test's noise if not given.
    seed : int
        Public seed of the blocks and of the learners' streams.

    Returns
    -------
    Handle
        A released vector of ``size`` numbers, or k of them in random order, (k, size); ``failed`` where too few blocks
        agree.

    Raises
    ------
    PlanError, SpecError
        For a budget without δ, a private number of rows, what is not registered, or a semimetric without ``averages``.

    Formal guarantees
    -----------------
    Replace-one with public n only. Loss: the test's (ε₁, δ₁), a quarter of ε and a fifth of δ, and the mask's at gamma,
    k times, composed (T8). Hypotheses: the semimetric, its convexity and the mask, asserted by the plugin.
    """
    sizes, known = Sizes.of(x, t), find_semimetric(semimetric)
    z = float(known.triangle(r))
    shared: dict[str, Any] = {"semimetric": semimetric, "r": r, "d": size, "k": k, "z": z, **sizes.shared}
    shared["z_far"] = max(float(known.triangle(2 * z * r)), z)
    gamma = gamma_of(semimetric, r, sizes.t, sizes.shared["ramp"], sizes.threshold)
    item = {"item": "points", "size": [k, size]} if k else {"item": "vector", "size": [size]}
    blocks = dp.block_learner(x, learner=learner, t=sizes.t, seed=seed, name="blocks", **item)  # type: ignore[arg-type]
    weight = dp.registered_weight(blocks, name="weight", **shared)

    def chosen(test: Handle) -> Handle:
        told: dict[str, Any] = {"test_threshold": sizes.threshold, "gamma": gamma}
        return dp.registered_average(blocks, test, name="average", **told, **shared)

    def masked(value: Handle) -> Handle:
        told: dict[str, Any] = {"mask": mask, "semimetric": semimetric, "r": gamma, "view": view, "share": 1.0}
        return dp.release("mask", dp.lift(k=k, **told) if k else dp.registered_mask(**told), value)

    return tested("components" if k else "vector", sizes, weight, chosen, masked, (k, size) if k else (size,))


def tested(
    name: str,
    sizes: Sizes,
    weight: Handle,
    chosen: Callable[[Handle], Handle],
    release: Callable[[Handle], Handle],
    shape: tuple[int, ...],
) -> Handle:
    """The test of the weight, and behind it the release of the average."""
    mechanism = dp.truncated_laplace_test(
        noise_multiplier=1.0 / sizes.epsilon, threshold=sizes.threshold, delta_fraction=TEST_DELTA
    )
    test = dp.release("test", mechanism, weight)
    value = chosen(test)

    def then(again: Handle, value: Handle) -> Handle:
        return release(value)

    def otherwise(again: Handle, value: Handle) -> Handle:
        needed = sizes.threshold + sizes.reach
        return dp.post("arbas23.apart", again, name="apart", shape=shape, t=sizes.t, needed=needed)

    return dp.branch(name, test, then, otherwise, test, value)


@register("arbas23.apart")
@attrs.frozen
class Apart(Post):
    """⊥: the test did not pass. Its advice rests on the released test value and the plan alone.

    Parameters
    ----------
    shape : tuple of int
        Of the value that does not come.
    t : int
        Number of blocks.
    needed : float
        Noisy weight from which the test passes.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("test", PARAM),)
    shape: tuple[int, ...] = attrs.field(kw_only=True, converter=tuple)
    t: int = attrs.field(kw_only=True, validator=positive_whole)
    needed: float = attrs.field(kw_only=True, validator=positive)

    def warnings(self) -> list[str]:
        """Whether the test can pass at all."""
        return [f"{self.t} blocks are too few: their test can't pass; use a larger t"] if self.needed > self.t else []

    def output(self, *inputs: Domain) -> Domain:
        """Domain of the value that the other branch releases; this one releases none."""
        wants(inputs[0], Flag, self.name)
        return Vector(self.shape[0]) if len(self.shape) == 1 else Array(self.shape)

    def apply(self, *values: Any) -> Any:
        """Say why, from the released number and the plan."""
        value = float(values[0].value)
        return Failed(
            f"the {self.t} blocks do not agree: their released noisy weight is {value:.4g}, not {self.needed:.4g}",
            "use more rows, a larger r or a larger epsilon",
        )
