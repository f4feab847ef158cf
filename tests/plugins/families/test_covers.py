"""More covers: blocks of one law name few members, one near it; and covers that a plugin enumerates, pure ε."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np
import pytest

import dpframe as dp
from dpframe import plugin
from dpframe.kernel.families.registering import find_family
from dpframe.kernel.registry import build, find_learner
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify
from dpframe.proof.spaces import ListOf, Vector

COVERS = {
    "laplace": ("families.laplace_cover", "families.gaussian_members", np.array([50.0, 3.0]), 2),
    "poisson": ("families.poisson_cover", "families.poisson_members", np.array([30.0]), 1),
    "bernoulli": ("families.bernoulli_cover", "families.bernoulli_members", np.array([0.97]), 1),
}


def rows_of(name: str, n: int, rng: np.random.Generator) -> Any:
    return find_family(f"families.{name}").sample(COVERS[name][2], n, rng)


@pytest.mark.parametrize("name", COVERS)
def test_blocks_name_few_members_and_near_ones(name: str) -> None:
    """Within a step and the error of a block of 400 rows."""
    proposer, members, theta, _ = COVERS[name]
    rng = np.random.default_rng(0)
    named = {tuple(find_learner(proposer)(rows_of(name, 400, rng), rng)[0][0]) for _ in range(60)}
    assert len(named) <= 8
    made = np.array(build(members, {}).apply([np.array(numbers) for numbers in named]))
    assert np.abs(made - theta).max() < {"laplace": 2.0, "poisson": 6.0, "bernoulli": 0.05}[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", COVERS)
def test_a_member_is_selected(name: str) -> None:
    proposer, members, theta, numbers = COVERS[name]
    made = {"family": f"families.{name}", "proposer": proposer, "members": members, "numbers": numbers, "t": 200}
    plan = dp.plan(
        lambda x: dp.release("result", dp.recipe("families.select_from_cover", **made), x),
        x=dp.rows(n=20_000, d=1),
        adjacency=dp.REPLACE_ONE,
        budget=dp.approx_dp(epsilon=1.0, delta=1e-6),
    )
    found = plan.run(x=rows_of(name, 20_000, np.random.default_rng(1)), simulate=1)
    assert found.status == "released", found.reason
    assert np.abs(found["result"][0, 1:] - theta).max() < {"laplace": 2.0, "poisson": 4.0, "bernoulli": 0.04}[name]


CORRELATIONS = (-0.95, -0.5, 0.0, 0.5, 0.95)


@plugin.register("test.correlated_cover")
@attrs.frozen
class CorrelatedCover(plugin.Post):
    """Gaussians of mean 0 and variances 1 and 4, of any of five correlations."""

    slots: ClassVar[tuple[Any, ...]] = ()

    def output(self, *inputs: Any) -> Any:
        return ListOf(Vector(5), len(CORRELATIONS))

    def apply(self, *values: Any) -> Any:
        return [np.array([0.0, 0.0, 1.0, 2 * r, 2 * (1 - r * r) ** 0.5]) for r in CORRELATIONS]


@pytest.mark.parametrize("adjacency", [dp.REPLACE_ONE, dp.ADD_REMOVE])
def test_an_enumerated_cover_keeps_a_correlation(adjacency: Any) -> None:
    rng = np.random.default_rng(2)
    n = 3000 if adjacency == dp.REPLACE_ONE else None
    recipe = dp.recipe("families.select_from_list", family="families.gaussian_full", cover="test.correlated_cover")
    plan = dp.plan(
        lambda x: dp.release("result", recipe, x),
        x=dp.rows(n=n, d=2),
        adjacency=adjacency,
        budget=dp.pure_dp(1.0),
    )
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    assert verify(made).verified
    rows = rng.multivariate_normal([0.0, 0.0], [[1.0, 1.9], [1.9, 4.0]], 3000)
    assert plan.run(x=rows, simulate=1)["result"][0, 4] == pytest.approx(1.9)
