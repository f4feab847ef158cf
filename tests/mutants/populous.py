"""The populous test misused: a selection that its test does not vouch for."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.proof.spaces import Mixture, Vector
from tests.mutants.base import table
from tests.mutants.planner import D, Program, noisy
from tests.papers.skeletons.stubs import planned, stub

T = 401


def mask(chosen: Handle) -> Handle:
    return noisy(chosen, "mask")


def select_outside_test(x: Handle, *, guarded: bool = False) -> Handle:
    blocks = dp.transform("block_learner", x, learner="skeleton.learner", t=400, item="vector", size=[D])
    mechanism = dp.truncated_laplace_test(noise_multiplier=2.0, threshold=0.55, delta_fraction=0.4)
    test = dp.release("test", mechanism, dp.transform("agreement", blocks, r=0.25, d=D))
    chosen = dp.transform("select_block", blocks, test, r=0.25, d=D, theta=0.5, test_threshold=0.55)
    if not guarded:
        return noisy(chosen)
    made: Handle = dp.branch("b", test, mask, lambda v: stub(Vector(D)), chosen)
    return made


def weak_test(x: Handle) -> Handle:
    """The populous test without the lower threshold: θ₀ = θ, so that no block need qualify."""
    blocks = dp.transform("block_learner", x, learner="skeleton.learner", t=400, item="vector", size=[D])
    mechanism = dp.truncated_laplace_test(noise_multiplier=2.0, threshold=0.5, delta_fraction=0.4)
    test = dp.release("test", mechanism, dp.transform("agreement", blocks, r=0.25, d=D))
    chosen = dp.transform("select_block", blocks, test, r=0.25, d=D, theta=0.5, test_threshold=0.5)
    made: Handle = dp.branch("b", test, mask, lambda v: stub(Vector(D)), chosen)
    return made


def selected_in_branch(x: Handle) -> Handle:
    return select_outside_test(x, guarded=True)


TESTED = dp.approx_dp(epsilon=50.0, delta=1e-6)


def under_test(program: Program) -> Callable[[], Any]:
    return functools.partial(planned, program, d=D, budget=TESTED)


def mixtures(
    x: Handle, *, majority: int = 201, threshold: float = 0.55, tested: float = 0.1, nu: float = 0.1
) -> Handle:
    """A mixture selected at ``nu`` under a test of agreement at ``tested``."""
    blocks = dp.transform("block_learner", x, learner="gaussian_1", t=T, item="mixture", size=[1, D])
    mechanism = dp.truncated_laplace_test(noise_multiplier=2.0, threshold=threshold, delta_fraction=0.4)
    test = dp.release("test", mechanism, dp.transform("mixture_agreement", blocks, k=1, d=D, nu=tested))
    sizes = {"k": 1, "d": D, "nu": 0.1, "majority": majority, "test_threshold": threshold}
    chosen = dp.transform("select_mixture", blocks, test, **sizes)

    def masked(value: Handle) -> Handle:
        made: Handle = dp.release("mask", dp.named("mixture_mask", {"share": 1.0}), value)
        return made

    made: Handle = dp.branch("b", test, masked, lambda v: stub(Mixture(1, D)), chosen)
    return made


def with_faults(**faults: Any) -> Callable[[], Any]:
    """The mixture program with these faults."""
    return under_test(lambda x: mixtures(x, **faults))


MUTANTS = table(
    "planner",
    (
        "select-untested",
        "a block is selected outside its test",
        "exists only if the test",
        under_test(select_outside_test),
        under_test(selected_in_branch),
        "T4",
    ),
    (
        "weak-test",
        "a populous test without the lower threshold",
        "must ask for more than theta",
        under_test(weak_test),
        under_test(selected_in_branch),
        "T4",
    ),
    (
        "few-near",
        "a mixture that less than half of the blocks are near",
        "neighbourhoods must share two blocks",
        with_faults(majority=200),
        with_faults(),
        "T4",
    ),
    (
        "weak-mixture-test",
        "a test of mixtures that may pass where no block qualifies",
        "must ask for more than",
        with_faults(threshold=201 / T),
        with_faults(),
        "T4",
    ),
    (
        "another-radius",
        "a selection within a tenth under a test of agreement within two tenths",
        "the test was made with nu",
        with_faults(tested=0.2),
        with_faults(),
        "T4",
    ),
)
