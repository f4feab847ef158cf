"""Arbas23's Algorithm 1 as the thesis has it and as T4 charges it; Theorem 4.3.1 in semimetrics of one's own."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import dpframe as dp
from dpframe.front.program import Handle
from dpframe.front.specs import load_spec
from dpframe.proof.checker import verify
from dpframe.proof.losses import Pure, compose, tightest_epsilon
from dpframe.proof.spaces import OneOf
from dpframe.proof.theorems import THEOREMS, truncated_laplace_bound
from dpframe_plugins.arbas23.calibration import least_blocks
from tests.kernel.queries import learners
from tests.papers import own_semimetric

assert learners
assert own_semimetric
N, T = 12_000, 120
BUDGET = dp.approx_dp(epsilon=8.0, delta=1e-3)


def node(plan: Any, name: str) -> Any:
    return next(n for n in plan.graph.nodes if n.operation.name == name).operation.parameters()


@pytest.mark.parametrize("mode", ["first", "thesis"])
def test_T4_the_test_and_the_mask_compose(mode: str) -> None:
    """(ε₁ + ε₂, δ₁ + δ₂), and no more: the total is the composition of two nodes; Thm 4.3.1 charges (2ε, 4e^ε·δ)."""
    plan = load_spec("arbas23_gmm", {"n": 500_000, "d": 2, "k": 2, "mode": mode}).plan()
    masks = [path for path in plan.weighings if path[-1] == "mask"]
    tests = [path for path in plan.weighings if path[-1].endswith("test")]
    assert len(masks) == len(tests) == 1
    assert plan.loss == compose(plan.node_loss(tests[0]), plan.node_loss(masks[0]))
    (pure,) = [event.epsilon for event, _ in plan.loss.events if isinstance(event, Pure)]
    assert pure == pytest.approx(0.5)
    if mode == "thesis":
        delta = plan.loss.delta
        assert delta == pytest.approx(5e-7)
        found = tightest_epsilon(plan.loss, 2 * delta)[0]
        assert found < 2 * pure
        assert 2 * delta < 4 * math.exp(pure) * delta


def test_the_thesis_mode_is_algorithm_1() -> None:
    """t of Thm 7.1.3, q_i > 0.6, Q + Z >= 0.8 + A, neighbourhoods of radius r/2z with z = 3/2."""
    plan = load_spec("arbas23_gmm", {"n": 500_000, "d": 2, "k": 2, "mode": "thesis", "r": 0.0003}).plan()
    epsilon, delta = 0.5, 5e-7
    t = math.ceil(20 / epsilon * math.log(1 + math.expm1(epsilon) / (2 * delta)))
    assert node(plan, "block_learner")["t"] == t
    chosen, test = node(plan, "select_mixture"), node(plan, "truncated_laplace_test")
    assert chosen["majority"] == math.floor(0.6 * t)
    assert {c for c in range(t + 1) if c > chosen["majority"]} == {c for c in range(t + 1) if c / t > 0.6}
    assert chosen["test_threshold"] == test["threshold"] == 0.8
    assert chosen["nu"] == pytest.approx(0.0003 / 3)


@pytest.mark.parametrize(("epsilon", "delta"), [(0.5, 2e-7), (0.1, 1e-9), (2.0, 1e-6)])
def test_T4_takes_fewer_blocks(epsilon: float, delta: float) -> None:
    """About 8/ε against 20/ε: the same test passes surely when all blocks agree."""
    literal = math.ceil(20 / epsilon * math.log(1 + math.expm1(epsilon) / (2 * delta)))
    t = least_blocks(epsilon, delta)
    assert 0.38 < t / literal < 0.44
    for blocks, least, asked in ((t, 0.5, 0.5), (literal, 0.6, 0.8)):
        assert asked + 2 * truncated_laplace_bound(2 / blocks, epsilon, delta) <= 1 + 1 / blocks
        assert 2 * (math.floor(least * blocks) + 1) - blocks >= 1


def test_T4_the_test_must_ask_for_more_than_the_selection() -> None:
    """With θ₀ = θ a test can pass although no block qualifies: two halves, every q_i = θ. The theorem refuses it."""
    from dpframe.kernel.families.mixture_selection import MixtureAgreement
    from dpframe.kernel.operations import Exact

    here, there = ((np.ones(1), np.full((1, 1), 100.0 * i), np.ones((1, 1, 1))) for i in range(2))
    exact = MixtureAgreement(k=1, d=1, nu=0.1).evaluate(Exact([here] * 20 + [there] * 20))
    assert int(exact.integers[0]) * exact.step == 0.5
    params = {"k": 1, "d": 1, "nu": 0.1, "majority": 20, "test_threshold": 0.5}
    with pytest.raises(dp.PlanError, match="more than 20/40"):
        THEOREMS["close_mixture"].rule(params, ((OneOf(40, 1),),))
    assert THEOREMS["close_mixture"].rule({**params, "test_threshold": 0.501}, ((OneOf(40, 1),),))


# -------------------------------------------------------------- Theorem 4.3.1 in any semimetric

OWN = {
    "euclidean": {"learner": "tests.mean", "size": 2, "mask": "euclidean.gaussian", "r": 3.0},
    "papers.square": {"learner": "tests.mean", "size": 2, "mask": "papers.plain", "r": 2.0},
    "papers.ratio": {"learner": "papers.scale", "size": 1, "mask": "papers.factor", "r": 0.6},
}


def planned(semimetric: str, **changes: Any) -> Any:
    @dp.program
    def program(x: Handle) -> Any:
        made = {**OWN[semimetric], "t": T, **changes}
        return {"vector": dp.apply("vector", dp.recipe("arbas23.anywhere", semimetric=semimetric, **made), x)}

    rows = dp.rows(n=N, d=2)
    return dp.plan(program, x=rows, adjacency=dp.REPLACE_ONE, budget=BUDGET, allow_asserted=True)


def table(seed: int = 0) -> Any:
    return 3.0 * np.random.default_rng(seed).standard_normal((N, 2)) + np.array([20.0, -10.0])


@pytest.mark.parametrize("semimetric", ["euclidean", "papers.ratio"])
def test_theorem_431_runs_and_verifies_in_any_semimetric(semimetric: str) -> None:
    """The noise is real: errors beyond 5.5 standard deviations come less than once in 1e7 runs."""
    plan = planned(semimetric)
    result = plan.run(x=table())
    assert result.status == "released", result.reason
    (rho,) = plan.calibrations["vector.vector", "then", "mask"]["cost"]
    error = 5.5 * OWN[semimetric]["r"] / math.sqrt(2 * rho)
    if semimetric == "euclidean":
        assert result["vector"] == pytest.approx([20.0, -10.0], abs=error + 0.5)
    else:
        assert abs(math.log(result["vector"][0] / 3.0)) < error + 0.1
    verdict = verify(result.certificate)
    assert verdict.verified, verdict.reasons
    listed = " ".join(verdict.hypotheses)
    assert "semimetric: asserted by the plugin" in listed
    assert "mask: asserted by the plugin" in listed


@pytest.mark.parametrize(
    ("operation", "key", "value"),
    [
        ("select_registered", "r", 0.1),
        ("select_registered", "semimetric", "papers.square"),
        ("select_registered", "majority", 30),
        ("registered_mask", "r", 0.01),
        ("registered_mask", "semimetric", "papers.square"),
    ],
)
def test_theorem_431_forged_certificates_are_refused(operation: str, key: str, value: Any) -> None:
    from dpframe.planning.certificate import certificate

    plan = planned("euclidean")
    made = certificate(plan, spec_sha256=None, result_sha256=None, simulated=False, status="released")
    document = json.loads(json.dumps(made))
    assert verify(json.loads(json.dumps(made))).verified

    def forge(nodes: Any) -> int:
        count = 0
        for n in nodes:
            if n["operation"] == operation:
                n["parameters"][key] = value
                if n.get("theorem_inputs"):
                    n["theorem_inputs"][key] = value
                count += 1
            count += sum(forge(body["nodes"]) for body in (n.get("bodies") or {}).values())
        return count

    assert forge(document["graph"]["nodes"]) == 1
    assert not verify(document).verified


def test_theorem_431_costs_what_the_l2_queries_cost() -> None:
    """ℝ^d with its own Gaussian mechanism, by registered names: T4's price, as for the kernel's exact ``l2``."""
    plan = planned("euclidean")
    (noise,) = (c for path, c in plan.calibrations.items() if path[-1] == "mask")
    (rho,) = noise["cost"]
    (pure,) = [event.epsilon for event, _ in plan.loss.events if isinstance(event, Pure)]
    assert pure == pytest.approx(4.0)
    assert plan.spent["epsilon"] == pytest.approx(8.0, rel=1e-5)
    mask = next(n for n in plan.graph.nodes if n.bodies).bodies
    operation = next(n.operation for _, body in mask for n in body.nodes if n.operation.name == "registered_mask")
    assert operation.noise_std(noise) == pytest.approx(3.0 / math.sqrt(2 * rho), rel=1e-6)


def test_theorem_431_uses_the_triangle_constant() -> None:
    """z = 2 halves the neighbourhoods: r/4; a plan with z = 1 is refused."""
    plan = planned("papers.square")
    assert node(plan, "registered_agreement")["z"] == 2.0
    with pytest.raises(dp.PlanError, match="triangle constant of 2"):
        dp.plan(
            dp.program(
                lambda x: dp.transform(
                    "registered_agreement",
                    dp.transform("block_learner", x, learner="tests.mean", t=9, item="vector", size=[2]),
                    semimetric="papers.square",
                    r=1.0,
                    d=2,
                )
            ),
            x=dp.rows(n=N, d=2),
            adjacency=dp.REPLACE_ONE,
            budget=BUDGET,
            allow_asserted=True,
        )


def test_theorem_431_fails_where_blocks_disagree() -> None:
    rows = table()
    rows[:, 0] = np.exp(3 * np.random.default_rng(1).standard_normal(N)) * np.where(np.arange(N) % 2, 1, 1e6)
    result = planned("papers.ratio", r=0.01).run(x=rows, simulate=1)
    assert result.status == "failed"
    assert "do not agree" in result.reason


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"mask": "papers.plain"}, "made for 'papers.square'"),
        ({"mask": "papers.nothing"}, "unknown mask"),
        ({"semimetric": "papers.nothing"}, "unknown semimetric"),
        ({"r": 0.0}, "positive|r"),
    ],
)
def test_theorem_431_refusals(changes: dict[str, Any], said: str) -> None:
    made = {**OWN["euclidean"], "t": T, "semimetric": "euclidean", **changes}

    @dp.program
    def program(x: Handle) -> Any:
        return {"vector": dp.apply("vector", dp.recipe("arbas23.anywhere", **made), x)}

    with pytest.raises(dp.DpframeError, match=said):
        dp.plan(program, x=dp.rows(n=N, d=2), adjacency=dp.REPLACE_ONE, budget=BUDGET, allow_asserted=True)
