"""Theorem 4.3.1 for any semimetric: a learner of vectors, a distance and a mask of one's own.

A plugin registers a distance (decorator ``semimetric``), a mask (``mask``) and a learner; the recipe below is
Algorithm 1 over them, with T4's thresholds. The certificate lists what the plugin asserts.
"""

from __future__ import annotations

from typing import Any, ClassVar

import attrs

import dpframe.plugin as dp
from dpframe.plugin import (
    PARAM,
    ApproxDP,
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
    positive,
    positive_whole,
    register,
    truncated_laplace_bound,
    wants,
)

from .averaging import EUCLIDEAN
from .calibration import least_blocks

TEST_EPSILON, TEST_DELTA = 0.5, 0.2


@composite("arbas23.anywhere", examples=EUCLIDEAN)
def anywhere(
    x: Handle,
    *,
    learner: str,
    size: int,
    semimetric: str,
    mask: str,
    r: float,
    view: str = "rho",
    t: int | None = None,
    share: float = 1.0,
    seed: int = 0,
) -> Handle:
    """A vector that a non-private learner gives on most blocks, up to r in a registered semimetric, masked.

    Parameters
    ----------
    x : Handle
        The private table.
    learner, semimetric, mask : str
        Registered names.
    size : int
        Numbers in the learner's vector.
    r : float
        The mask is made for values within r of one another.
    view : str
        How the mask's cost is known.
    t : int, optional
        Number of blocks; as few as the test needs if not given.
    share : float
        Share of ρ of the mask. The test takes half of ε and a fifth of δ.
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
    Replace-one with public n only. Loss: the test's (ε₁, δ₁) and the mask's, composed (T4, Arbas23 Theorem 4.3.1).
    Hypotheses: the semimetric and the mask, asserted by the plugin.
    """
    budget = x.tracer.target.budget if x.tracer.target is not None else None
    if not isinstance(budget, ApproxDP) or budget.delta <= 0:
        raise PlanError("the closeness test needs an approximate budget with a delta", fix="use epsilon and delta")
    epsilon, delta = TEST_EPSILON * budget.epsilon, TEST_DELTA * budget.delta
    t = t if t is not None else least_blocks(epsilon, delta)
    blocks = dp.block_learner(x, learner=learner, t=t, seed=seed, item="vector", size=[size], name="blocks")
    shared: dict[str, Any] = {
        "semimetric": semimetric,
        "r": r,
        "z": float(find_semimetric(semimetric).triangle(r)),
        "d": size,
    }
    threshold = ((t + 1) // 2 + 0.5) / t
    agreement = dp.registered_agreement(blocks, name="agreement", **shared)
    mechanism = dp.truncated_laplace_test(
        noise_multiplier=1.0 / epsilon, threshold=threshold, delta_fraction=TEST_DELTA
    )
    test = dp.release("test", mechanism, agreement)
    majority = (t + 1) // 2
    chosen = dp.select_registered(blocks, test, name="selected", majority=majority, test_threshold=threshold, **shared)
    needed = threshold + truncated_laplace_bound(2.0 / t, epsilon, delta)

    def then(again: Handle, value: Handle) -> Handle:
        mechanism = dp.registered_mask(mask=mask, semimetric=semimetric, r=r, view=view, share=share)
        return dp.release("mask", mechanism, value)

    def otherwise(again: Handle, value: Handle) -> Handle:
        told: dict[str, Any] = {"size": size, "t": t, "needed": needed}
        return dp.post("arbas23.nowhere", again, name="nowhere", **told)

    return dp.branch("vector", test, then, otherwise, test, chosen)


@register("arbas23.nowhere")
@attrs.frozen
class Nowhere(Post):
    """⊥: the test did not pass. Its advice rests on the released test value and the plan alone.

    Parameters
    ----------
    size, t : int
        Numbers in the vector, blocks.
    needed : float
        Noisy agreement from which the test passes.
    """

    slots: ClassVar[tuple[Slot, ...]] = (Slot("test", PARAM),)
    size: int = attrs.field(kw_only=True, validator=positive_whole)
    t: int = attrs.field(kw_only=True, validator=positive_whole)
    needed: float = attrs.field(kw_only=True, validator=positive)

    def warnings(self) -> list[str]:
        """Whether the test can pass at all."""
        return [f"{self.t} blocks are too few: their test can't pass; use a larger t"] if self.needed > 1 else []

    def output(self, *inputs: Domain) -> Domain:
        """A vector, which never comes."""
        wants(inputs[0], Flag, self.name)
        return Vector(self.size)

    def apply(self, *values: Any) -> Any:
        """Say why, from the released number and the plan."""
        value = float(values[0].value)
        reason = (
            f"the {self.t} blocks do not agree: their released noisy agreement is {value:.4g}, not {self.needed:.4g}"
        )
        return Failed(reason, "use more rows, a larger r or a larger epsilon")
