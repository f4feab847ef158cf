"""A plan, a table and a post, for the tests of runs."""

from __future__ import annotations

import attrs
import numpy as np

import dpframe as dp
from dpframe.kernel.post_processing import Post
from dpframe.kernel.registry import register
from dpframe.proof.spaces import Domain

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)


@register("test.ball_at")
@attrs.frozen
class BallAt(Post):
    """A ball of radius 2 around a released point."""

    slots = (attrs.evolve(dp.build("mean_of_ball", {}).slots[0]),)

    def output(self, *inputs: Domain) -> Domain:
        """A ball."""
        from dpframe.proof.spaces import Ball

        return Ball(inputs[0].d)

    def apply(self, *values):
        """Centre it."""
        from dpframe.proof.spaces import BallValue

        return BallValue(np.asarray(values[0]), 2.0)


def plan_of(program, n, d=3, adjacency=dp.REPLACE_ONE):
    return dp.plan(program, x=dp.rows(n=n, d=d), adjacency=adjacency, budget=BUDGET)


def table(rng, n=5000, d=3):
    x = rng.normal(size=(n, d)) * 2 + np.arange(1, d + 1)
    x[::97, 0] = np.nan
    x[1::131, 1] = np.inf
    x[2::211] = 1e308
    return x
