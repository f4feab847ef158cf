"""AL22's Gaussian: of tables and parts, right wherever it lies, verified, refused where rows are unknown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.errors import PlanError, SpecError
from dpframe.planning.certificate import certificate
from dpframe.proof.checker import verify

BUDGET = dp.approx_dp(epsilon=1.0, delta=1e-6)
N, CHOSEN = 120_000, {"t": 900, "r": 1.0}


def whole(x: Any) -> Any:
    return dp.release("gaussian", dp.recipe("al22.gaussian", **CHOSEN), x)


def half(x: Any) -> Any:
    return dp.release("gaussian", dp.recipe("al22.gaussian", rows=N // 2, **CHOSEN), dp.split(x, count=2)[0])


def cluster(x: Any) -> Any:
    inside = dp.filter_ball(x, dp.ball(centre=[1e6], radius=1e5))[0]
    return dp.release("gaussian", dp.recipe("al22.gaussian", rows=N // 2, **CHOSEN), inside)


def planned(program: Any) -> Any:
    return dp.plan(program, x=dp.rows(n=N, d=1), adjacency=dp.REPLACE_ONE, budget=BUDGET)


@pytest.mark.parametrize("program", [whole, half, cluster])
def test_nothing_is_asserted_of_the_estimate(program: Any) -> None:
    proof = certificate(planned(program), spec_sha256=None, result_sha256=None, simulated=False, status="released")
    assert verify(proof).verified
    assert "asserted" not in {node.get("level") for node in proof["graph"]["nodes"]}


@pytest.mark.slow
@pytest.mark.parametrize("program", [half, cluster])
def test_it_is_near_the_truth_wherever_that_lies(program: Any) -> None:
    """The mean within its standard deviation, the variance within a factor of 3: η of this design is about 0.4."""
    rng = np.random.default_rng(0)
    rows = 1e6 + 1e3 * rng.standard_normal((N, 1))
    if program is cluster:
        rows[::2] = -1e7 + rng.standard_normal((N // 2, 1))
    found = planned(program).run(x=rows, simulate=1)
    assert found.status == "released", found.reason
    assert abs(found["gaussian"].mean[0] - 1e6) < 2e3
    assert 1e6 / 4 < found["gaussian"].covariance[0, 0] < 4e6


WRONG: dict[str, tuple[Any, str]] = {
    "a part of unknown size": (lambda x: dp.recipe("al22.gaussian"), "say about how many"),
    "no whole number of rows": (lambda x: dp.recipe("al22.gaussian", rows=0.5), "whole number"),
    "more than the budget": (lambda x: dp.recipe("al22.gaussian", rows=N, part=2.0), "part must be"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_it_refuses(case: str) -> None:
    recipe, message = WRONG[case]
    with pytest.raises((PlanError, SpecError), match=message):
        planned(lambda x: dp.release("gaussian", recipe(x), dp.split(x, count=2)[0]))
